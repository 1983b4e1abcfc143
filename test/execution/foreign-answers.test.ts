import { describe, expect, it } from 'vitest';
import type { ReadName } from '../../src/engine/ports.ts';
import { begun, outcomes, settled, wish } from '../ledger/support.ts';
import { NOON, dollars, listing, wideLimits } from '../support/values.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { type Stage, stage } from './support/desk.ts';

const second = 1_000;

type Mark = ReturnType<Stage['desk']['mark']>;

/** Every answer says of itself what is given: something on the way caches. */
function cached(mark: (name: ReadName) => Mark): Stage {
  const scene = stage(new VirtualClock(NOON));
  scene.desk.mark = mark;
  scene.looks.start(scene.stop.signal);
  return scene;
}

async function refusedOnce({ clock, ledger, looks }: Stage): Promise<number> {
  await clock.advance(10 * second);
  const { id } = begun(ledger, 1, clock.now());
  settled(ledger, ledger.purchase(id)!, outcomes.refused('gone'), clock.now());
  await clock.advance(1);
  looks.soon();
  await clock.advance(20 * second);
  return id;
}

describe('an old answer given again', () => {
  it.each<[string, (name: ReadName) => Mark]>([
    ['by its request id', (name) => ({ requestId: `r-${name}`, serviceDate: NOON })],
    ['by its Age', () => ({ ageMs: 40 * second })],
    ['that is younger, but older than the purchase', () => ({ ageMs: 29 * second })],
  ])('confirms no refusal: %s [N34 money-3]', async (_, mark) => {
    const scene = cached(mark);
    const id = await refusedOnce(scene);
    expect(scene.desk.times('orders').length).toBeGreaterThan(2);
    expect(scene.ledger.purchase(id)).toMatchObject({ state: 'rejected', held: true });
  });

  it('is told from a new one: those that name themselves anew confirm it', async () => {
    let count = 0;
    const scene: Stage = cached(() => ({ requestId: `r-${(count += 1)}`, serviceDate: scene?.clock.now() ?? NOON }));
    const id = await refusedOnce(scene);
    expect(scene.ledger.purchase(id)).toMatchObject({ state: 'rejected', held: false });
  });

  it('of the balance frees no hold [N34]', async () => {
    const { clock, ledger } = cached((name) => ({ requestId: `r-${name}` }));
    const limits = { ...wideLimits, reserve: dollars(985), unknown: 9 };
    let spent = 0;
    for (let n = 1; n <= 6; n++) {
      await clock.advance(90 * second);
      const other = listing({ id: String(n), itemId: 'eeeeeeeeeeeeeeee', name: `Item ${n}` });
      const committed = ledger.commitIntent(wish({ listing: other }), limits, clock.now());
      if (!committed.ok) continue;
      settled(ledger, committed.purchase, outcomes.bought(`S-${n}`), clock.now());
      spent += 10.5;
    }
    expect(spent).toBeLessThanOrEqual(15);
  });
});

describe("another account's answers", () => {
  const foreign = (balance: number): Stage =>
    stage(new VirtualClock(NOON), { user: () => ({ type: 'apiKey', profile: { id: 'account-2', balance } }) });

  it.each([4_000, -1])('are no look at ours, and that is told once (balance %i)', async (balance) => {
    const scene = foreign(balance);
    scene.looks.start(scene.stop.signal);
    await scene.clock.advance(30 * second);
    const { ledger, clock, ear, looked, desk } = scene;
    expect(desk.times('orders').length).toBeGreaterThan(2);
    expect([looked, ear.heard, scene.foreign]).toEqual([[], [], ['account-2']]);
    expect(ledger.adoptedOrders()).toEqual([]);
    const wanted = wish({ listing: listing({ id: '1', price: 900, priceWithFee: 950 }) });
    expect(ledger.commitIntent(wanted, { ...wideLimits, reserve: dollars(100) }, clock.now())).toMatchObject({ ok: false });
  });

  it('say whose the folder is and whose the key', async () => {
    const { clock, looks } = foreign(4_000);
    const look = looks.once();
    await clock.advance(second);
    expect(await look).toMatchObject({
      ok: false,
      message: 'the data folder belongs to account account-1, the key to account account-2',
    });
  });
});
