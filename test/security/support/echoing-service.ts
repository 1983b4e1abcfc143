import { brotliCompressSync, gzipSync } from 'node:zlib';
import { entry } from '../../support/feed-entries.ts';
import { type Scripts, ScriptedService, failure, listings, profile, success } from '../../app/scripted-service.ts';
import { httpAnswer, reset } from '../../gateway/hostile-server.ts';
import { formsOf, planted, plantedTradeUrl } from './planted-secrets.ts';

/** What a service is told by requests: the token of the page is none of its business. */
const secrets = [planted.apiKey, planted.partnerKey, planted.tradeToken, plantedTradeUrl];

/** All secrets, in the how-manyeth of their forms. */
function said(round: number): string {
  return secrets
    .map((secret) => {
      const forms = formsOf(secret);
      return forms[round % forms.length] ?? secret;
    })
    .join(' ');
}

/** One secret alone, in a form that fits into a field of 64 characters. */
function short(round: number): string {
  const forms = secrets.flatMap(formsOf).filter((form) => form.length <= 60);
  return forms[round % forms.length] ?? '';
}

/** A text in which a secret lies across the place where it will be cut. */
function across(cut: number, round: number): string {
  const secret = secrets[round % secrets.length] ?? '';
  return `${'x'.repeat(Math.max(cut - 1 - (round % secret.length), 0))}${secret}`;
}

const cuts = [40, 60, 80, 100, 120, 200, 300, 400, 500, 2_048];

type Script = NonNullable<Scripts['live']>;
type Turn = (round: number) => ReturnType<Script>;

/** Answers one after the other, again and again; each is told how many came before it. */
function rota(...scripts: readonly Turn[]): Script {
  let round = 0;
  return () => {
    const script = scripts[round % scripts.length];
    if (script === undefined) throw new Error('a rota of nothing');
    return script(round++);
  };
}

/** Failures of every kind, each quoting our secrets. */
const failing: readonly [Turn, ...Turn[]] = [
  (n: number) => failure(500, said(n), said(n + 1)),
  (n: number) => httpAnswer(502, `<html><body>${said(n)}</body></html>`, { 'content-type': 'text/html' }),
  (n: number) => failure(404, said(n), across(200, n)),
  (n: number) => httpAnswer(302, '', { location: `/else?key=${encodeURIComponent(said(n))}` }),
  (n: number) => httpAnswer(200, said(n), { 'content-type': `text/${across(60, n).replace(/[^\x21-\x7e]/g, '')}` }),
  (n: number) => httpAnswer(200, said(n), { 'content-encoding': across(40, n) }),
  (n: number) => httpAnswer(200, `{"success":true,"data":{"${said(n).replaceAll(/["\\]/g, '')}`),
  (n: number) => success({ [said(n)]: said(n), listings: said(n), orders: said(n) }),
  (n: number) => failure(400, across(200, n), said(n), { 'x-echo': said(n), date: said(n) }),
  (n: number) =>
    httpAnswer(200, gzipSync(`{"success":false,"message":${JSON.stringify(said(n))}}`), { 'content-encoding': 'gzip' }),
  (n: number) => httpAnswer(200, brotliCompressSync(said(n)), { 'content-encoding': 'br' }),
  () => reset,
];

let next = 1_000;

/** An offer that quotes our secrets wherever a text may stand. */
function quoting(n: number, fields: Record<string, unknown> = {}): Record<string, unknown> {
  const text = said(n);
  return entry({
    id: String(next++),
    marketHashName: `AK-47 | ${text}`,
    price: 1,
    priceWithFee: 1.05,
    steamPrice: 4,
    rarity: text,
    collection: text,
    exterior: text,
    color: text,
    type: text,
    iconUrl: `https://elsewhere.example/?k=${text}`,
    stickers: [{ name: text, [text]: text }],
    charm: { name: text },
    [text]: text,
    extra: { deep: [text, across(65_536, n)] },
    ...fields,
  });
}

const offers: readonly [Turn, ...Turn[]] = [
  (n: number) => listings([quoting(n), quoting(n + 1), quoting(n + 2), quoting(n, { market: short(n) })]),
  (n: number) => listings(cuts.map((cut) => quoting(n, { marketHashName: across(cut, n) }))),
  (n: number) =>
    listings([...cuts.map((cut) => quoting(n, { marketHashName: across(cut, n), wear: 7 })), said(n), { id: said(n) }]),
  (n: number) => listings([quoting(n, { itemId: short(n) }), quoting(n, { id: short(n) })]),
];

const row = (n: number, fields: Record<string, unknown> = {}): Record<string, unknown> => ({
  id: `order-${n}-${said(n)}`,
  item: said(n),
  itemId: said(n + 1),
  amount: 0.01,
  currency: said(n + 2),
  status: { code: said(n), label: said(n) },
  timestamp: Date.now(),
  cancelReason: said(n),
  settlementTime: said(n),
  ...fields,
});

const booking = (n: number): Record<string, unknown> => ({
  ...{ id: short(n), itemId: said(n), itemName: said(n), type: said(n), status: said(n) },
  ...{ amount: 1.05, price: 1.05, float: 0.2, timestamp: Date.now() },
});

const bought = (n: number) =>
  success({
    order: { orderId: `up-${short(n)}`, serviceOrderId: `order-${n}-${short(n)}`, status: said(n), message: said(n) },
    // Goods other than asked for halt buying, so that it is not always said.
    ...(n % 3 === 2 ? { item: { id: said(n), market: said(n), price: 99 } } : {}),
  });

const health = (word: string) => {
  const market = {
    status: word,
    staleMs: 1,
    workers: [{ workerId: word, queue: word, consumerCount: 1, heartbeat: null, status: word }],
  };
  return success({
    status: word,
    markets: { c5: market, ecosteam: market },
    service: { c5: true, ecosteam: true },
    message: word,
  });
};

export const kindsOfFailure = failing.length;

/** Quotes our own secrets back at us, in every answer and in every form, whether it serves or fails. */
function echoingScripts(): Scripts {
  const own = `acc-${planted.apiKey}`;
  return {
    live: rota(...failing.flatMap((fail, index) => [offers[index % offers.length] ?? offers[0], fail])),
    health: rota(...Array.from({ length: 5 }, () => () => health('ok')), (n) => health(said(n)), ...failing),
    user: rota(
      () => profile(1_000, own),
      () => profile(1_000, own),
      ...failing,
    ),
    orders: rota(
      (n) => success({ total: 1, returned: 1, orders: [row(0)], message: said(n) }),
      ...failing.flatMap((fail) => [
        (n: number) => success({ total: 2, returned: 2, orders: [row(n), row(n + 1), said(n)], message: said(n) }),
        fail,
      ]),
    ),
    transactions: rota(
      ...failing.flatMap((fail) => [(n: number) => success({ total: 1, transactions: [booking(n)], message: said(n) }), fail]),
    ),
    detail: rota(...failing.flatMap((fail) => [(n: number) => success({ items: [{ id: short(n), error: said(n) }] }), fail])),
    buy: rota(...failing.flatMap((fail) => [bought, (n: number) => failure(410, said(n), said(n)), fail])),
  };
}

/** Fails in one way only, whatever it is asked. */
export function openFailing(kind: number): Promise<ScriptedService> {
  const script = rota(failing[kind] ?? failing[0]);
  return ScriptedService.open({
    live: script,
    health: script,
    user: script,
    orders: script,
    transactions: script,
    detail: script,
    buy: script,
  });
}

export function openEchoing(): Promise<ScriptedService> {
  return ScriptedService.open(echoingScripts());
}

/** What a daemon needs to be sent there with the planted secrets. */
export function plantedAccount(service: ScriptedService): {
  baseUrl: string;
  childKey: string;
  topLevelKey: string;
  tradeUrl: string;
} {
  return { baseUrl: service.server.url, childKey: planted.apiKey, topLevelKey: planted.partnerKey, tradeUrl: plantedTradeUrl };
}
