import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Secrets as odd as a configuration allows, so that each encoding of them looks different. The key that buys is another in each process: a
 * machine has one buyer with a key at a time, and test files run side by side.
 */
export const planted = {
  apiKey: `mk_Canary+Key/${process.pid}=A"q\\z%7E`,
  partnerKey: "mp_Canary'Partner&90ab3c<top>",
  tradeToken: 'cAn4rY+t',
  webToken: 'web_Canary~token?0123456789',
} as const;

export const plantedTradeUrl = `https://steamcommunity.com/tradeoffer/new/?partner=123456789&token=${planted.tradeToken}`;

/** The part of a base64 text that stands for the secret wherever in the bytes around it the secret begins. */
function base64Cores(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [0, 1, 2].map((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes, Buffer.alloc(3)]).toString('base64');
    return whole.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  });
}

/** Every way in which a secret might be written by an ordinary program. */
export function formsOf(secret: string): readonly string[] {
  const cores = base64Cores(secret);
  const percent = encodeURIComponent(secret);
  const form = new URLSearchParams({ a: secret }).toString().slice(2);
  const html = secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
  const all = [
    secret,
    ...[percent, percent.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()), form],
    ...[JSON.stringify(secret).slice(1, -1), html, html.replaceAll("'", '&#39;')],
    ...cores,
    ...cores.map((core) => core.replaceAll('+', '-').replaceAll('/', '_')),
    Buffer.from(secret).toString('hex'),
  ];
  return [...new Set(all)];
}

const secrets = Object.entries({ ...planted, tradeUrl: plantedTradeUrl });

/** Half a secret is a secret too: this much of its beginning, cut off anywhere, is not to be found either. */
const HALF_MIN = 8;

/** Which planted secrets a text shows, in whatever form and case, and in which. */
export function leaksIn(text: string): string[] {
  const folded = text.toLowerCase();
  return secrets.flatMap(([name, secret]) => {
    const beginning = name === 'tradeUrl' || secret.length < 2 * HALF_MIN ? [] : [secret.slice(0, HALF_MIN)];
    return [...formsOf(secret), ...beginning]
      .filter((form) => folded.includes(form.toLowerCase()))
      .map((form) => `${name} as ${form} in …${around(text, folded.indexOf(form.toLowerCase()))}…`);
  });
}

function around(text: string, at: number): string {
  return JSON.stringify(text.slice(Math.max(0, at - 40), at + 60));
}

/** The same for every file below a folder, read as bytes and as wide characters. */
export function leaksBelow(folder: string): string[] {
  return filesBelow(folder).flatMap((path) => {
    const bytes = readFileSync(path);
    return [bytes.toString('latin1'), bytes.toString('utf16le'), bytes.subarray(1).toString('utf16le')].flatMap((text) =>
      leaksIn(text).map((leak) => `${path.slice(folder.length)}: ${leak}`),
    );
  });
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
