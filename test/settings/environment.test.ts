import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskReferences, substitute, unmaskReferences } from '../../src/settings/references.ts';
import { faultsOf, load, settingsOf, smallest, someEnvironment } from './written.ts';

const ofService = (url: string): string => `service: { baseUrl: "http://127.0.0.1:4010" }\naccount:\n  apiKey: ${url}\n`;
const keyOf = (text: string, env: Record<string, string>): string | undefined => {
  const { service } = settingsOf(text, env);
  return service.kind === 'remote' ? service.account?.apiKey.reveal() : undefined;
};

describe('a reference to the environment', () => {
  it('is replaced in any kind of text, also inside braces', () => {
    const env = { A: 'one', B: 'two' };
    expect(keyOf(ofService('${A}'), env)).toBe('one');
    expect(keyOf(ofService('"${A}-${B}"'), env)).toBe('one-two');
    expect(keyOf(ofService("'x${A}'"), env)).toBe('xone');
    expect(keyOf(ofService('>-\n    ${A}'), env)).toBe('one');
    expect(keyOf('service: { baseUrl: "http://127.0.0.1:1" }\naccount: { apiKey: ${A}, dedicated: true }\n', env)).toBe('one');
  });

  it('takes its default when the variable is unset or empty', () => {
    expect(keyOf(ofService('${A:-text}'), {})).toBe('text');
    expect(keyOf(ofService('${A:-text}'), { A: '' })).toBe('text');
    expect(keyOf(ofService('${A:-text}'), { A: 'set' })).toBe('set');
    expect(keyOf('service: { baseUrl: "http://127.0.0.1:1" }\naccount: { apiKey: ${A:-a,b:c#d}, dedicated: true }\n', {})).toBe(
      'a,b:c#d',
    );
  });

  it('without a default is a fault that names the variable when it is unset or empty', () => {
    expect(faultsOf(ofService('${MAGPIE_KEY}'))).toMatchInlineSnapshot(
      `"magpie.yaml:3:11: account.apiKey: the environment variable MAGPIE_KEY is not set → set MAGPIE_KEY, or give a default: \${MAGPIE_KEY:-text}"`,
    );
    expect(faultsOf(ofService('${MAGPIE_KEY}'), { MAGPIE_KEY: '' })).toMatchInlineSnapshot(
      `"magpie.yaml:3:11: account.apiKey: the environment variable MAGPIE_KEY is set but empty → set MAGPIE_KEY, or give a default: \${MAGPIE_KEY:-text}"`,
    );
    expect(faultsOf(ofService('${toString}'))).toMatchInlineSnapshot(
      `"magpie.yaml:3:11: account.apiKey: the environment variable toString is not set → set toString, or give a default: \${toString:-text}"`,
    );
  });

  it('is a fault when it is no reference', () => {
    expect(faultsOf(ofService('a${b'))).toMatchInlineSnapshot(
      `"magpie.yaml:3:11: account.apiKey: holds a \${ that is no reference → write \${NAME} or \${NAME:-text}, or $\${ for the characters themselves"`,
    );
    expect(faultsOf(ofService('${A B}'))).toMatchInlineSnapshot(
      `"magpie.yaml:3:11: account.apiKey: holds a \${ that is no reference → write \${NAME} or \${NAME:-text}, or $\${ for the characters themselves"`,
    );
    expect(faultsOf(ofService('"${A:-${B}}"'))).toMatchInlineSnapshot(
      `"magpie.yaml:3:11: account.apiKey: holds a \${ that is no reference → write \${NAME} or \${NAME:-text}, or $\${ for the characters themselves"`,
    );
    expect(keyOf(ofService('a$${b}'), {})).toBe('a${b}');
  });

  it('that comes out empty leaves out a key that may be left out, and is never "no limit"', () => {
    expect(settingsOf(`${smallest}web: { token: "\${NONE:-}" }\n`).web).toEqual({
      host: '127.0.0.1',
      port: 8787,
      token: undefined,
    });
    expect(faultsOf(`${smallest}limits:\n  maxPrice: \${NONE:-}\n  spend: { day: "\${NONE:-}" }\n  never: ["\${NONE:-}"]\n`))
      .toMatchInlineSnapshot(`
      "magpie.yaml:4:13: limits.maxPrice: is empty, since NONE is not set → set it, or remove the key
      magpie.yaml:5:17: limits.spend.day: is empty, since NONE is not set → set it, or remove the key
      magpie.yaml:6:11: limits.never[0]: is empty, since NONE is not set → set it, or remove the key"
    `);
  });

  it('gives a number, or true or false, where one is wanted and the whole value is one', () => {
    const text = `${smallest}limits: { maxPrice: \${MAX}, perItem: { day: \${COUNT} } }\nrecording: { off: \${OFF} }\n`;
    const settings = settingsOf(text, { MAX: '12.50', COUNT: '3', OFF: 'true' });
    expect(settings).toMatchObject({ limits: { maxPrice: 12_500_000, perItem: { day: 3 } }, recording: undefined });
    expect(faultsOf(text, { MAX: '12,50', COUNT: '0x3', OFF: 'yes' })).toMatchInlineSnapshot(`
      "magpie.yaml:3:21: limits.maxPrice: must be an amount in US dollars, from 0 to 10000000; MAX holds something else
      magpie.yaml:3:45: limits.perItem.day: must be a whole number from 0 to 1000000; COUNT holds something else
      magpie.yaml:4:19: recording.off: must be true or false; OFF holds something else"
    `);
  });

  it('gives text where text is wanted, whatever it looks like', () => {
    expect(keyOf(ofService('${A}'), { A: '0x12' })).toBe('0x12');
    expect(keyOf(ofService('${A}'), { A: '${B}' })).toBe('${B}');
  });

  it('may stand in a file whose other values are read as ever', () => {
    expect(faultsOf(`${smallest}limits: { maxPrice: \${MAX:-5}, reserve: 5,00 }\n`)).toMatchInlineSnapshot(
      `"magpie.yaml:3:43: limits.00: the comma before 00 begins a new key → write 5.00, with a point"`,
    );
  });
});

describe('the variables of Magpie', () => {
  const file = 'service: { baseUrl: "http://127.0.0.1:4010" }\naccount: { apiKey: of-the-file, partnerKey: ${UNSET} }\n';

  it('take the place of what the file says, which is then not even looked up', () => {
    const env = {
      MAGPIE_BASE_URL: 'https://api.example.com',
      MAGPIE_API_KEY: 'of-the-environment',
      MAGPIE_PARTNER_KEY: 'top-level',
      MAGPIE_TRADE_URL: someEnvironment['MAGPIE_TRADE_URL'] ?? '',
    };
    const { service } = settingsOf(file, env);
    expect(service).toMatchObject({ kind: 'remote', baseUrl: 'https://api.example.com' });
    const account = service.kind === 'remote' ? service.account : undefined;
    expect([account?.apiKey, account?.partnerKey, account?.tradeUrl].map((secret) => secret?.reveal())).toEqual([
      'of-the-environment',
      'top-level',
      someEnvironment['MAGPIE_TRADE_URL'],
    ]);
  });

  it('may stand in for blocks that the file lacks', () => {
    const { service } = settingsOf('mode: dry-run\n', { MAGPIE_BASE_URL: 'http://127.0.0.1:1', MAGPIE_API_KEY: 'some-key' });
    expect(service).toMatchObject({ kind: 'remote', baseUrl: 'http://127.0.0.1:1' });
  });

  it('count as unset when they are empty', () => {
    expect(keyOf('service: { baseUrl: "http://127.0.0.1:1" }\naccount: { apiKey: of-the-file }\n', { MAGPIE_API_KEY: '' })).toBe(
      'of-the-file',
    );
  });

  it('are named, and not shown, when what they hold is wrong', () => {
    const env = { MAGPIE_BASE_URL: 'nowhere', MAGPIE_API_KEY: 'two words', MAGPIE_TRADE_URL: 'https://steamcommunity.com/id/me' };
    expect(faultsOf(file.replace('${UNSET}', 'x'), env)).toMatchInlineSnapshot(`
      "magpie.yaml:1:21: service.baseUrl: must be an address such as https://host or http://127.0.0.1:4010, without user, query and fragment; MAGPIE_BASE_URL holds something else
      magpie.yaml:2:1: account.tradeUrl: must be a trade URL: https://HOST/tradeoffer/new/?partner=DIGITS&token=TEXT; MAGPIE_TRADE_URL holds something else
      magpie.yaml:2:20: account.apiKey: must be a key: letters, digits and signs without blanks or line breaks; MAGPIE_API_KEY holds something else"
    `);
  });

  it('never touch play money: with the embedded exchange they and the same keys of the file are ignored, and that is said', () => {
    const text = 'service: { sandbox: {} }\naccount: { apiKey: ${UNSET}, tradeUrl: nonsense, dedicated: true }\n';
    const loaded = load(text, { ...someEnvironment, MAGPIE_BASE_URL: 'https://api.example.com', MAGPIE_PARTNER_KEY: 'p' });
    expect(loaded.ok && loaded.notices).toMatchInlineSnapshot(`
      [
        "service.sandbox buys with play money, so these are ignored: MAGPIE_BASE_URL, MAGPIE_API_KEY, MAGPIE_PARTNER_KEY, MAGPIE_TRADE_URL, account.apiKey, account.tradeUrl",
      ]
    `);
    expect(loaded.ok && loaded.settings.service.kind).toBe('sandbox');
    expect(loaded.ok && loaded.settings.dedicated).toBe(true);
    expect(loaded.ok && loaded.settings.secrets).toEqual([]);
  });
});

describe('masking of references', () => {
  const text = fc
    .array(
      fc.oneof(
        fc.constantFrom('${A}', '${B:-x, y: z}', '${C:-}', '${', '}', '$${A}', '\n', '${A:-"q"}'),
        fc.string({ maxLength: 5 }),
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join(''));

  it('keeps every line and column, and can be taken back', () => {
    fc.assert(
      fc.property(text, (written) => {
        const masked = maskReferences(written);
        expect(masked).toHaveLength(written.length);
        expect(masked.split('\n').map((line) => line.length)).toEqual(written.split('\n').map((line) => line.length));
        expect(unmaskReferences(masked)).toBe(written);
      }),
    );
  });

  it('and substitution leave a text without references as it is', () => {
    fc.assert(
      fc.property(
        fc.string().filter((written) => !written.includes('${')),
        (written) => {
          expect(substitute(written, { A: 'a' })).toEqual({ ok: true, text: written, names: [] });
        },
      ),
    );
  });
});
