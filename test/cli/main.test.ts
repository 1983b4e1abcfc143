import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { place } from './harness.ts';

// A process of its own needs seconds to start on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const program = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

interface Child {
  readonly process: ChildProcess;
  readonly told: { out: string; err: string };
  readonly ended: Promise<number | null>;
}

function start(args: readonly string[], cwd = place()): Child {
  const child = spawn(process.execPath, [program, ...args], {
    cwd,
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const told = { out: '', err: '' };
  child.stdout.on('data', (bytes: Buffer) => void (told.out += bytes.toString()));
  child.stderr.on('data', (bytes: Buffer) => void (told.err += bytes.toString()));
  return { process: child, told, ended: once(child, 'close').then(([code]) => code as number | null) };
}

describe('the program as it is installed', () => {
  it('is one that a shell can start', () => {
    expect(readFileSync(program, 'utf8').split('\n')[0]).toBe('#!/usr/bin/env node');
  });

  it('ends with the exit code of its command', async () => {
    const right = start(['--version']);
    const wrong = start(['statsu']);
    expect([await right.ended, await wrong.ended]).toEqual([0, 2]);
    expect(wrong.told).toMatchObject({ out: '', err: expect.stringContaining('Did you mean status?') as string });
  });

  it('does not mind a reader that goes away [P16 P34]', async () => {
    const { process: child, told, ended } = start(['check', '--defaults']);
    child.stdout?.destroy();
    expect(await ended).toBe(0);
    expect(told.err).toBe('');
  });

  it('opens no inspector at SIGUSR1, and ends in order at SIGTERM [P16 S32]', async () => {
    const { process: child, told, ended } = start(['sandbox', '--port', '0', '--json']);
    if (child.stdout) await once(child.stdout, 'data');
    child.kill('SIGUSR1');
    child.kill('SIGUSR1');
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(told.err).toBe('');
  });
});
