import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { formatFault } from '../../src/settings/file-fault.ts';
import { loadSettings } from '../../src/settings/load.ts';
import type { Settings } from '../../src/settings/settings.ts';

/** A temporary folder that holds the given files, and is gone after the test. */
export function folderWith(files: Readonly<Record<string, string | Buffer>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'magpie-settings-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text, { mode: 0o600 });
  }
  return folder;
}

export const someEnvironment: Readonly<Record<string, string>> = {
  MAGPIE_API_KEY: 'key-of-the-account',
  MAGPIE_TRADE_URL: 'https://steamcommunity.com/tradeoffer/new/?partner=12345&token=AbCdEfGh',
  MAGPIE_WEB_TOKEN: 'token-of-the-page-0123456789',
};

type Environment = Readonly<Record<string, string>>;

/** Loads a configuration of the given text, as `magpie.yaml` in a folder of its own. */
export function load(text: string | Buffer, env: Environment = {}): ReturnType<typeof loadSettings> {
  return loadSettings({ file: 'magpie.yaml', env, cwd: folderWith({ 'magpie.yaml': text }) });
}

/** The faults of a configuration, one a line, as a terminal shows them; empty when there are none. */
export function faultsOf(text: string | Buffer, env: Environment = {}): string {
  const loaded = load(text, env);
  return loaded.ok ? '' : loaded.faults.map(formatFault).join('\n');
}

export function warningsOf(text: string, env: Environment = {}): string {
  return load(text, env).warnings.map(formatFault).join('\n');
}

/** The settings of a configuration that must be good. */
export function settingsOf(text: string, env: Environment = {}): Settings {
  const loaded = load(text, env);
  if (!loaded.ok) throw new Error(loaded.faults.map(formatFault).join('\n'));
  return loaded.settings;
}

/** The shortest configuration that is good: a dry run against a service. */
export const smallest = 'service: { baseUrl: "http://127.0.0.1:4010" }\naccount: { apiKey: "${KEY:-some-key}" }\n';
