const msOf = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

export type Duration = `${number}${keyof typeof msOf}`;

/** Whole numbers only, so that every duration has one exact meaning. */
export const DURATION_PATTERN = /^\d{1,9}(?:ms|s|m|h|d)$/;

/** Milliseconds of `500ms`, `10s`, `5m`, `24h`, `7d`; undefined for any other text. */
export function durationMs(text: string): number | undefined {
  const parts = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text);
  if (!parts) return undefined;
  return Number(parts[1]) * msOf[parts[2] as keyof typeof msOf];
}

const bytesOf = { kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 } as const;

export const SIZE_PATTERN = /^\d{1,6}(?:kB|MB|GB|TB)$/;

/** Bytes of `500MB` or `2GB`, powers of ten; undefined for any other text. */
export function sizeBytes(text: string): number | undefined {
  const parts = /^(\d{1,6})(kB|MB|GB|TB)$/.exec(text);
  if (!parts) return undefined;
  return Number(parts[1]) * bytesOf[parts[2] as keyof typeof bytesOf];
}

/** The size that a loosely written one means (`2 gb`, `500M`), in the form that is read; undefined when unclear. */
export function sizeMeant(text: string): string | undefined {
  const parts = /^(\d{1,6})\s*([kmgt])i?b?$/i.exec(text.trim());
  const unit = parts?.[2]?.toLowerCase();
  return unit === undefined ? undefined : `${parts?.[1]}${unit === 'k' ? 'k' : unit.toUpperCase()}B`;
}

const spelledUnits: readonly (readonly [RegExp, keyof typeof msOf])[] = [
  [/^(?:ms|milli(?:second)?s?)$/i, 'ms'],
  [/^(?:s|secs?|seconds?)$/i, 's'],
  [/^(?:m|mins?|minutes?)$/i, 'm'],
  [/^(?:h|hrs?|hours?)$/i, 'h'],
  [/^(?:d|days?)$/i, 'd'],
];

/** The duration that a loosely written one means (`10 sec`, `1.5s`, `2min`), in the form that is read; undefined when unclear. */
export function durationMeant(text: string): string | undefined {
  const parts = /^(\d{1,9}(?:\.\d{1,3})?)\s*([a-z]*)$/i.exec(text.trim());
  if (!parts) return undefined;
  const [, amount = '', word = ''] = parts;
  const unit = spelledUnits.find(([spelling]) => spelling.test(word))?.[1];
  if (unit === undefined) return undefined;
  if (!amount.includes('.')) return `${Number(amount)}${unit}`;
  const ms = Math.round(Number(amount) * msOf[unit]);
  return unit === 'ms' ? undefined : `${ms}ms`;
}

/** Milliseconds from midnight of a time of day such as `08:00`. */
export function timeOfDayMs(text: string): number {
  const [hours, minutes] = text.split(':').map(Number);
  return (hours ?? 0) * msOf.h + (minutes ?? 0) * msOf.m;
}
