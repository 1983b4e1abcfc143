import { describe, expect, it } from 'vitest';
import { scrubber } from '../../src/domain/secret.ts';
import { faultsOf, settingsOf, smallest, warningsOf } from './written.ts';

const PATH = '/hooks/3f9c2a7e5b8d41c6';

describe('webhooks', () => {
  it('are listened to nowhere by default, and at this machine alone unless the configuration says otherwise', () => {
    expect(settingsOf(smallest).webhooks).toBeUndefined();
    const { webhooks } = settingsOf(`${smallest}webhooks: { path: ${PATH} }\n`);
    expect(webhooks).toMatchObject({
      host: '127.0.0.1',
      port: 9791,
      header: 'x-webhook-signature',
      names: [],
      secret: undefined,
    });
  });

  it('need a path, and a signature where others can reach them', () => {
    expect(faultsOf(`${smallest}webhooks: { port: 1 }\n`)).toMatchInlineSnapshot(
      `"magpie.yaml:3:1: webhooks.path: is missing: events are posted to a path → write \`path: \${MAGPIE_HOOK_PATH}\` below webhooks"`,
    );
    expect(faultsOf(`${smallest}webhooks: { path: ${PATH}, host: 0.0.0.0 }\n`)).toMatchInlineSnapshot(
      `"magpie.yaml:3:1: webhooks.secret: is missing: others can reach 0.0.0.0, so events need a signature → write \`secret: \${MAGPIE_HOOK_SECRET}\`, or \`host: 127.0.0.1\`"`,
    );
    expect(faultsOf(`${smallest}webhooks: { path: ${PATH}, host: 0.0.0.0, secret: abc }\n`)).toBe('');
    expect(faultsOf(`${smallest}webhooks: { path: "no slash" }\n`)).toMatchInlineSnapshot(
      `"magpie.yaml:3:19: webhooks.path: must be a path such as /hooks/3f9c2a7e5b8d41c6, of letters, digits and -._~/; the value is not shown"`,
    );
  });

  it('whose path can be guessed are warned of, where nothing is signed', () => {
    expect(warningsOf(`${smallest}webhooks: { path: /hooks }\n`)).toMatchInlineSnapshot(
      `"magpie.yaml:3:19: webhooks.path: can be guessed, and without webhooks.secret whoever knows it can make Magpie look at the orders again and again → write a longer one, such as /hooks/3f9c2a7e5b8d41c6"`,
    );
    expect(warningsOf(`${smallest}webhooks: { path: /hooks, secret: abc }\n`)).toBe('');
  });

  it('have a path and a secret that appear in no output', () => {
    const settings = settingsOf(`${smallest}webhooks: { path: ${PATH}, secret: shared-with-the-service }\n`);
    const scrub = scrubber(settings.secrets);
    expect(scrub(`at ${PATH} with shared-with-the-service`)).toBe('at *** with ***');
    expect(JSON.stringify(settings)).not.toContain('3f9c2a7e');
  });

  it('of the embedded exchange go where the configuration says', () => {
    const text = 'service: { sandbox: { webhooks: { url: "http://127.0.0.1:9791/hooks", secret: abc-def-ghi } } }\n';
    const { service } = settingsOf(text);
    expect(service).toMatchObject({ kind: 'sandbox', sandbox: { webhooks: { url: 'http://127.0.0.1:9791/hooks' } } });
    expect(JSON.stringify(service)).not.toContain('abc-def-ghi');
  });
});
