import { microsFromDollars, ZERO, type Micros } from '../domain/money.ts';

// By what money comes and goes here. The document names the coins; networks, rates and fees are our assumption.

interface Coin {
  readonly networks: readonly string[];
  /** What one of it counts for, dollars. */
  readonly rate: number;
}

const stable = { networks: ['TRC20', 'ERC20', 'BEP20', 'POLYGON', 'SOLANA'], rate: 1 };

export const coins: Readonly<Record<string, Coin>> = {
  USDT: stable,
  USDC: stable,
  DAI: { networks: ['ERC20', 'POLYGON'], rate: 1 },
  BTC: { networks: ['BITCOIN'], rate: 90_000 },
  ETH: { networks: ['ERC20'], rate: 3_000 },
  SOL: { networks: ['SOLANA'], rate: 140 },
  POL: { networks: ['POLYGON'], rate: 0.2 },
};

/** What a withdrawal costs, dollars, by network; it is taken from what is sent. */
export const withdrawalFees: Readonly<Record<string, number>> = { TRC20: 1, ERC20: 4, BEP20: 0.5, POLYGON: 0.2, SOLANA: 0.5 };

/** The currencies of on-ramp deposits by their number in `fiatType`, with dollars for one of each. */
export const fiats: Readonly<Record<number, { readonly code: string; readonly rate: number }>> = {
  12: { code: 'EUR', rate: 1.1 },
  20: { code: 'GBP', rate: 1.3 },
  21: { code: 'USD', rate: 1 },
};

export const onrampBounds = { min: 10, max: 10_000 };

/** No single deposit counts for more, dollars: whatever is asked, balances stay countable. */
export const DEPOSIT_MAX = 1_000_000;

/** What an on-ramp keeps, as a share. */
export const ONRAMP_FEE = 0.02;

/** The network as it is written here; undefined when the coin does not come by it. */
export function networkOf(token: string, network: string): string | undefined {
  return coins[token]?.networks.find((name) => name === network.toUpperCase());
}

/** Dollars in whole cents, what is over is dropped. */
export function centsDown(dollars: number): Micros {
  return microsFromDollars(Math.floor(dollars * 100 + 1e-6) / 100, 'down') ?? ZERO;
}
