import { describe, expect, it } from 'vitest';
import { openPrices } from '../../src/app/accounts/shared-prices.ts';
import type { Circumstances } from '../../src/cli/admission.ts';
import { referenceFacts } from '../../src/cli/reference-facts.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { freshFolder, freshLedger } from '../ledger/support.ts';
import { NOON, dollars, listing } from '../support/values.ts';

const DAY = Math.floor(NOON / 86_400_000) - 1;

function keep(ledger: Ledger, steam: number, at = NOON): void {
  const sample = { day: DAY, readings: 1, steam: dollars(steam), floor: dollars(8) };
  const reading = { at, floor: dollars(8), nextFloor: undefined };
  ledger.keepReferences([{ name: listing().nameFolded, reading, sample }], 0);
}

/** As far as the record of prices is concerned. */
function where(reader: Ledger, account: string | undefined, recordingFolder: string): Circumstances {
  const settings = { account, recordingFolder, reference: { days: 14, minSamples: 1, maxJump: 0.5 } };
  return { reader, now: NOON, settings } as unknown as Circumstances;
}

describe('what a command knows of the record of prices', () => {
  it('is the account’s own where it is alone, and the one of all where it is one of several', () => {
    const [own, shared] = [freshLedger(), freshFolder()];
    keep(own, 10);
    const ofAll = openPrices(shared);
    keep(ofAll, 20);
    ofAll.close();
    expect(referenceFacts(listing(), where(own, undefined, shared)).record?.median).toBe(dollars(10));
    expect(referenceFacts(listing(), where(own, 'shop', shared)).record?.median).toBe(dollars(20));
  });

  it('is the account’s own where there is none of all, or it has read its own later', () => {
    const [own, shared] = [freshLedger(), freshFolder()];
    keep(own, 10, NOON + 1);
    expect(referenceFacts(listing(), where(own, 'shop', shared)).record?.median).toBe(dollars(10));
    const ofAll = openPrices(shared);
    keep(ofAll, 20);
    ofAll.close();
    expect(referenceFacts(listing(), where(own, 'shop', shared)).record?.median).toBe(dollars(10));
  });
});
