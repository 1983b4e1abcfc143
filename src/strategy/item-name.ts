// Names are built as `[★ ][StatTrak™ |Souvenir ]Base[ | Finish][ (Exterior)]`. All of this works on folded names.

/** The part before the first ` | `, without star, StatTrak and Souvenir: `karambit`, `ak-47`. */
export function baseOf(nameFolded: string): string {
  const bar = nameFolded.indexOf(' | ');
  return (bar < 0 ? nameFolded : nameFolded.slice(0, bar)).replace(/^(?:★ )?(?:stattrak™ |souvenir )?/, '');
}

/** The part between the first ` | ` and the exterior in parentheses: `doppler`; undefined when there is none. */
export function finishOf(nameFolded: string): string | undefined {
  const bar = nameFolded.indexOf(' | ');
  if (bar < 0) return undefined;
  const finish = nameFolded.slice(bar + 3);
  const parenthesis = finish.indexOf(' (');
  return parenthesis < 0 ? finish : finish.slice(0, parenthesis);
}

// With a phase named, too: the reference price blends them all the same.
const DOPPLER = /^(?:gamma )?doppler(?: (?:phase [1-4]|ruby|sapphire|emerald|black pearl))?$/;

/** Whether the finish is Doppler or Gamma Doppler; a name that only contains the word is none. */
export function isDoppler(nameFolded: string): boolean {
  return nameFolded.includes('doppler') && DOPPLER.test(finishOf(nameFolded) ?? '');
}
