import { dollarsFromMicros, microsFromDollars } from '../domain/money.ts';
import { Refused } from './answer.ts';
import type { Call } from './api.ts';
import { centsDown, coins, DEPOSIT_MAX, fiats, networkOf, ONRAMP_FEE, withdrawalFees } from './payment-terms.ts';
import type { Deposit, Withdrawal } from './treasury.ts';

// The document shows none of these answers: their fields are ours.

export function wallet({ exchange, account }: Call<'wallet'>): unknown {
  const { treasury } = exchange;
  return {
    balance: dollarsFromMicros(account.balance),
    currency: 'USD',
    deposits: treasury.deposits(account.id).map(depositRow),
    withdrawals: treasury.withdrawals(account.id).map(withdrawalRow),
    message: 'wallet',
  };
}

export function withdraw({ exchange, account, body, now }: Call<'withdraw'>): unknown {
  const network = networkOf(body.token, body.network);
  if (network === undefined) return unsupported(body.token, body.network);
  const amount = microsFromDollars(body.amount, 'up');
  const fee = centsDown(withdrawalFees[network] ?? 0);
  const { token, address } = body;
  const asked = amount && { account: account.id, token, network, address, amount, fee };
  const made = asked && exchange.treasury.withdraw(asked, now);
  if (!made) return new Refused(400, 'INSUFFICIENT_BALANCE', 'the balance does not cover the amount');
  return { withdrawal: withdrawalRow(made), message: 'withdrawal accepted' };
}

export function withdrawFees(): unknown {
  return { fees: withdrawalFees, currency: 'USD', message: 'withdrawal fees' };
}

export function cryptoDeposit({ exchange, account, body, now }: Call<'cryptoDeposit'>): unknown {
  const { token, amount } = body;
  const network = networkOf(token, body.network);
  if (network === undefined) return unsupported(token, body.network);
  const dollars = amount * (coins[token]?.rate ?? 0);
  if (dollars > DEPOSIT_MAX) return tooMuch();
  const credit = centsDown(dollars);
  const made = exchange.treasury.deposit({ account: account.id, way: 'crypto', token, network, amount, credit }, now);
  return { deposit: depositRow(made), message: 'send the amount to the address' };
}

export function cryptoChains(): unknown {
  return {
    chains: Object.fromEntries(Object.entries(coins).map(([token, { networks }]) => [token, networks])),
    message: 'chains',
  };
}

export function cryptoRates(): unknown {
  return { rates: Object.fromEntries(Object.entries(coins).map(([token, { rate }]) => [token, rate])), message: 'rates' };
}

/** The currency alone tells what a session is worth: `coinAmount` counts for dollars, since both coins are stable. */
export function onrampSession({ exchange, account, body, now }: Call<'onrampSession'>): unknown {
  const fiat = fiats[body.fiatType];
  const paid = body.fiatAmount === undefined ? (body.coinAmount ?? 0) : afterFee(body.fiatAmount, fiat?.rate ?? 1);
  if (paid > DEPOSIT_MAX) return tooMuch();
  const token = (body.coinCode ?? 'usdt').toUpperCase();
  const network = body.network ?? '';
  const amount = body.fiatAmount ?? body.coinAmount ?? 0;
  const asked = { account: account.id, way: 'onramp', token, network, amount, credit: centsDown(paid) } as const;
  const made = exchange.treasury.deposit(asked, now);
  return {
    sessionId: made.id,
    url: `https://onramp.sandbox.example/session/${made.id}`,
    deposit: depositRow(made),
    message: 'pay at the address',
  };
}

export function onrampQuote({ body }: Call<'onrampQuote'>): unknown {
  const { fiatAmount, coinCode, network } = body;
  const { code, rate } = fiats[body.fiatType] ?? { code: 'USD', rate: 1 };
  const coinAmount = dollarsFromMicros(centsDown(afterFee(fiatAmount, rate)));
  return { fiatAmount, fiat: code, coinCode, network, rate, feeShare: ONRAMP_FEE, coinAmount, message: 'quote' };
}

export function cancelDeposit({ exchange, account, params }: Call<'cancelDeposit'>): unknown {
  const deposit = exchange.treasury.cancel(account.id, params['depositId'] ?? '');
  if (!deposit) return new Refused(404, 'DEPOSIT_NOT_FOUND', 'the account has no such deposit');
  if (deposit.status === 'confirmed') return new Refused(409, 'DEPOSIT_CONFIRMED', 'the deposit has arrived already');
  return { deposit: depositRow(deposit), message: 'deposit cancelled' };
}

function tooMuch(): Refused {
  return new Refused(400, 'AMOUNT_TOO_LARGE', `at most ${DEPOSIT_MAX} dollars at a time`);
}

function afterFee(fiatAmount: number, rate: number): number {
  return fiatAmount * rate * (1 - ONRAMP_FEE);
}

function unsupported(token: string, network: string): Refused {
  const offered = coins[token]?.networks.join(', ') ?? '';
  return new Refused(400, 'NETWORK_UNSUPPORTED', `${token} does not come by ${network.slice(0, 40)}; by ${offered}`);
}

function depositRow({ account: _, credit, ...deposit }: Deposit): Record<string, unknown> {
  return { ...deposit, credit: dollarsFromMicros(credit) };
}

function withdrawalRow({ account: _, amount, fee, ...withdrawal }: Withdrawal): Record<string, unknown> {
  return { ...withdrawal, amount: dollarsFromMicros(amount), fee: dollarsFromMicros(fee) };
}
