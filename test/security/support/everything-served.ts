import { readFileSync } from 'node:fs';
import { planted, plantedTradeUrl } from './planted-secrets.ts';

interface Served {
  readonly what: string;
  readonly said: string;
}

const routes = readFileSync(new URL('../../../src/web/routes.ts', import.meta.url), 'utf8');

/** Every path of the page that tells or changes something, of the table itself, so that none can be forgotten. */
const paths = [...new Set([...routes.matchAll(/'(\/api\/[a-z]+)'/g)].map(([, path = '']) => path))];

const { apiKey, partnerKey, tradeToken, webToken } = planted;
const queries = ['', `?id=1`, '?id=1000&market=c5game', `?words=${encodeURIComponent(apiKey)}`];

/** All that the page and the metrics of a daemon tell, headers too: with the token, with none, and with a wrong one. */
export async function everythingServed(page: string, metrics: string): Promise<Served[]> {
  if (paths.length < 10) throw new Error('the paths of the page are written otherwise than before');
  const served: Served[] = [];
  const key = { authorization: `Bearer ${webToken}` };
  const html = await asked(`${page}/`, key);
  const assets = [...html.said.matchAll(/(?:src|href)="\.?(\/?[^":]+)"/g)].map(([, path = '']) => `/${path.replace(/^\//, '')}`);
  served.push(html);
  for (const path of [...assets, '/nowhere', `/reports/${encodeURIComponent(partnerKey)}`])
    served.push(await asked(page + path, key));
  for (const path of paths) {
    for (const query of queries) served.push(await asked(page + path + query, key));
    const headers = { ...key, origin: page, 'content-type': 'application/json' };
    const body = JSON.stringify({ reason: `${apiKey}, ${tradeToken} and ${plantedTradeUrl}` });
    served.push(await asked(page + path, headers, { method: 'POST', body }));
  }
  served.push(await beginningOf(`${page}/api/events`, key));
  // Last: whoever guesses wrong ten times is not heard for a while.
  for (const path of paths)
    served.push(await asked(page + path, { authorization: `Bearer ${partnerKey}` }), await asked(page + path, {}));
  for (const path of ['/metrics', '/healthz', '/readyz', '/nowhere']) served.push(await asked(metrics + path, {}));
  return served;
}

async function asked(address: string, headers: Readonly<Record<string, string>>, more: RequestInit = {}): Promise<Served> {
  const answer = await fetch(address, { ...more, headers });
  return { what: `${more.method ?? 'GET'} ${address} ${answer.status}`, said: headersOf(answer) + (await answer.text()) };
}

/** What a stream says in its first moments. */
async function beginningOf(address: string, headers: Readonly<Record<string, string>>): Promise<Served> {
  const signal = AbortSignal.timeout(3_000);
  const answer = await fetch(address, { headers, signal });
  let said = headersOf(answer);
  try {
    for await (const piece of answer.body as AsyncIterable<Uint8Array>) said += Buffer.from(piece).toString();
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  if (!said.includes('event: ')) throw new Error(`the stream tells nothing: ${said}`);
  return { what: `GET ${address}`, said };
}

function headersOf({ headers }: Response): string {
  return [...headers].map(([name, value]) => `${name}: ${value}\n`).join('');
}
