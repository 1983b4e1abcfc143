import { describe, expect, it } from 'vitest';
import { magpie, place } from './harness.ts';

describe('a secret on the command line, where every user of the machine can read it', () => {
  it('has no option that would take it [S5]', async () => {
    const cwd = place();
    const { out } = await magpie(['--help'], { cwd });
    const commands = [...out.matchAll(/^ {2}([a-z]+) /gm)].flatMap(([, name]) =>
      name === undefined || name === 'help' ? [] : [name],
    );
    expect(commands.length).toBeGreaterThan(10);
    for (const command of commands) {
      const help = (await magpie([command, '--help'], { cwd })).out;
      const options = [...help.matchAll(/--[a-z-]+/g)].map(([option]) => option);
      expect(options).toContain('--config');
      expect(options.filter((option) => /key|token|secret|pass|trade|url/.test(option))).toEqual([]);
    }
  });

  it.each(['--api-key', '--apiKey', '--key', '--token', '--trade-url'])(
    'is refused and not repeated: %s [S5]',
    async (option) => {
      for (const args of [
        ['run', option, 'canary-of-the-key'],
        ['run', `${option}=canary-of-the-key`],
      ]) {
        const { code, out, err } = await magpie(args, { cwd: place() });
        expect(code).toBe(2);
        expect(out + err).not.toContain('canary');
      }
    },
  );
});
