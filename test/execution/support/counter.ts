import type { BuyOutcome } from '../../../src/domain/outcome.ts';
import type { BuyOrder, Permit, Venue, WireTimes } from '../../../src/engine/ports.ts';

export const wireTimes: WireTimes = { sentAt: 5, answeredAt: 6 };

interface Sent {
  readonly order: BuyOrder;
  answer(outcome: BuyOutcome): void;
  fail(error: unknown): void;
  late(outcome: BuyOutcome): void;
}

/** A venue that answers when the test says so. */
export class Counter implements Venue {
  readonly sent: Sent[] = [];
  onSend: () => void = () => {};

  buy(order: BuyOrder, late: (outcome: BuyOutcome) => void): Promise<{ outcome: BuyOutcome; times: WireTimes }> {
    return new Promise((resolve, reject) => {
      this.sent.push({ order, late, fail: reject, answer: (outcome) => resolve({ outcome, times: wireTimes }) });
      this.onSend();
    });
  }
}

/** A permit that remembers what became of it. */
export function permit(): Permit & { readonly life: readonly string[] } {
  const life: string[] = [];
  return { life, begin: () => void life.push('begun'), done: () => void life.push('done') };
}
