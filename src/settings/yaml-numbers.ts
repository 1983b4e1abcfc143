/** Decimal digits as people write them: 5, -3, 0.25. */
const PLAIN = /^[-+]?(?:0|[1-9]\d*)(?:\.\d+)?$/;

export interface NumberFault {
  readonly message: string;
  readonly suggestion: string;
}

/**
 * What is wrong with the way a number is written; undefined for plain decimal digits. YAML also reads hexadecimal, octal,
 * exponents, infinities and leading zeros as numbers, which here are nearly always an id or a name without its quotes, or a slip.
 */
export function numberFault(source: string, value: number): NumberFault | undefined {
  if (/^[-+]?\.(?:inf|nan)$/i.test(source)) {
    return { message: `${source} is no number that can be counted with`, suggestion: 'write a plain number, or remove the key' };
  }
  if (!PLAIN.test(source)) {
    return {
      message: `${source} is read by YAML as the number ${value}`,
      suggestion: `write "${source}" in quotes for the text, or ${plainForm(source, value)} for the number`,
    };
  }
  if (source.includes('.') || Number.isSafeInteger(value)) return undefined;
  return { message: `${source} has more digits than a number keeps`, suggestion: `write "${source}" in quotes for the text` };
}

function plainForm(source: string, value: number): string {
  const zeros = /^([-+]?)0+(\d+(?:\.\d+)?)$/.exec(source);
  if (zeros) return `${zeros[1]}${zeros[2]}`;
  return Math.abs(value) < 1e21 && Math.abs(value) >= 1e-6 ? String(value) : 'plain digits';
}
