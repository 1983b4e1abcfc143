import { describe, expect, it, onTestFinished } from 'vitest';
import { HostileServer, type Manners, answering } from '../gateway/hostile-server.ts';
import { magpie, onPlayMoney, place } from './harness.ts';

async function server(manners: Manners): Promise<HostileServer> {
  const started = await HostileServer.start(manners);
  onTestFinished(() => started.close());
  return started;
}

const withConfig = ['--config', 'magpie.yaml'] as const;

describe('notify test', () => {
  it('sends a message to each channel and says what came of it, without its address', async () => {
    const [good, bad] = [await server(answering(204, '')), await server(answering(404, { message: 'Unknown Webhook' }))];
    const notify = {
      discord: { webhook: `${bad.url}/api/webhooks/1/TOKEN-0123456789` },
      webhook: { url: `${good.url}/told`, secret: 'shared' },
      command: { run: [process.execPath, '-e', 'process.exit(4)'] },
    };
    const cwd = place({ 'magpie.yaml': `${onPlayMoney}notify: ${JSON.stringify(notify)}\n` });
    const { code, out, err } = await magpie(['notify', 'test', ...withConfig], { cwd });
    expect({ code, err }).toEqual({ code: 1, err: '' });
    expect(out).toMatchInlineSnapshot(`
      "discord   FAILED: status 404: Unknown Webhook
                → make the webhook anew in the settings of the channel at Discord, and put its address into notify.discord.webhook
      webhook   sent
      command   FAILED: it ended with exit code 4
                → try again in a while; if it stays, see whether this machine reaches it. Beside a daemon alerts wait until they arrive
      "
    `);
    expect(JSON.parse(Buffer.from(good.requests[0]?.body ?? '', 'latin1').toString())).toMatchObject({
      from: 'Magpie',
      counts: { test: 1 },
      text: 'Magpie: test\n• This is a test: alerts arrive here.',
    });
    const one = await magpie(['notify', 'test', '--channel', 'webhook', '--json', ...withConfig], { cwd });
    expect(one.code).toBe(0);
    expect(JSON.parse(one.out)).toEqual({ ok: true, channels: [{ channel: 'webhook', ok: true, message: null, next: null }] });
    expect([good.posts, bad.posts]).toEqual([2, 1]);
  });

  it('says which channel lacks its secret in this terminal, and exits 1', async () => {
    const cwd = place({ 'magpie.yaml': `${onPlayMoney}notify: { discord: { webhook: "\${HOOK}" } }\n` });
    const { code, out } = await magpie(['notify', 'test', '--json', ...withConfig], { cwd });
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      ok: false,
      channels: [{ channel: 'discord', ok: false, message: 'what notify.discord needs is not set here' }],
    });
  });

  it('is wrong where there is no channel, or not that one', async () => {
    const cwd = place();
    const none = await magpie(['notify', 'test', ...withConfig], { cwd });
    expect(none.code).toBe(2);
    expect(none.err).toContain('no `notify`');
    const other = await magpie(['notify', 'test', '--channel', 'telegram', ...withConfig], { cwd });
    expect(other.err).toContain('no notify.telegram');
    expect((await magpie(['notify', 'test', '--channel', 'smoke', ...withConfig], { cwd })).code).toBe(2);
  });
});
