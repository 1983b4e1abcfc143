import { microsFromDollars } from '../domain/money.ts';
import { Refused } from './answer.ts';
import type { Call } from './api.ts';
import type { Order } from './orders.ts';
import { coins, fiats, onrampBounds } from './payment-terms.ts';

/** POST /v1/partner/users: the key is shown at creation only. */
export function createUser({ exchange, body }: Call<'createUser'>): unknown {
  const { account, isNew } = exchange.treasury.child(body.email, body.name ?? body.email);
  return {
    apiKeyId: account.id,
    ...(isNew ? { apiKey: account.key } : {}),
    email: account.email ?? body.email,
    name: account.name,
    linkedUserId: null,
    status: 'active',
    message: isNew ? 'child key created' : 'the address has a child key already',
  };
}

/** POST /v1/partner/transfers: a key that was used answers with what it has moved, whatever else the request says now. */
export function transfer({ exchange, account, body, now }: Call<'transfer'>): unknown {
  const { treasury } = exchange;
  const known = treasury.transferOf(account.id, body.idempotencyKey);
  if (known) return moved(known, 'moved by an earlier request with this idempotency key');
  const to = treasury.childBy(body.toEmail ?? body.toApiKeyId ?? '');
  if (!to) return new Refused(404, 'CHILD_NOT_FOUND', 'no child account has that address or id');
  const { idempotencyKey } = body;
  const amount = microsFromDollars(body.amountCents / 100, 'up');
  const made = amount && treasury.transfer({ from: account.id, to: to.id, amount, idempotencyKey }, now);
  if (!made) return new Refused(400, 'INSUFFICIENT_BALANCE', 'the balance does not cover the amount');
  return moved(made, 'moved');
}

function moved({ from, to, amount }: { from: string; to: string; amount: number }, message: string): unknown {
  return { partnerApiKeyId: from, userApiKeyId: to, amountCents: amount / 10_000, message };
}

/** Our assumption: amounts count orders and volumes add up what they cost; those that failed or were reverted count nowhere. */
export function partnerStats({ exchange }: Call<'partnerStats'>): unknown {
  const children = exchange.books.accounts.filter(({ kind }) => kind === 'child');
  const orders = children.flatMap(({ id }) => exchange.books.orders(id));
  const completed = orders.filter(({ code }) => code === 'COMPLETED');
  const pending = orders.filter(({ code }) => code !== 'COMPLETED' && code !== 'FAILED' && code !== 'REVERTED');
  return {
    orderAmount: completed.length,
    pendingOrderAmount: pending.length,
    volume: volumeOf(completed),
    pendingVolume: volumeOf(pending),
    partnerRevenue: 0,
    pendingPartnerRevenue: 0,
  };
}

function volumeOf(orders: readonly Order[]): number {
  return orders.reduce((sum, { cost }) => sum + cost, 0) / 1_000_000;
}

export function onrampLimits(): unknown {
  return { limits: Object.fromEntries(Object.keys(fiats).map((type) => [type, onrampBounds])), message: 'limits' };
}

export function onrampCountries(): unknown {
  return {
    countries: [
      { code: 'DE', fiatType: 12 },
      { code: 'GB', fiatType: 20 },
      { code: 'US', fiatType: 21 },
    ],
    message: 'countries',
  };
}

export function onrampConfig(): unknown {
  const { USDT, USDC } = coins;
  return { fiats, coins: { usdt: USDT?.networks, usdc: USDC?.networks }, message: 'configuration' };
}
