// Writes what is derived from the definitions in src: JSON Schemas for editors, and the reference pages. A test holds the
// written files to the definitions. Run it after a change: npx tsx scripts/generate-reference.ts
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { alertKinds } from '../src/domain/alert.ts';
import { reasons } from '../src/domain/reason.ts';
import type { JsonSchema } from '../src/settings/json-schema.ts';
import { configEditorSchema, configJsonSchema, mapped } from '../src/settings/json-schema.ts';
import { strategyJsonSchema } from '../src/strategy/schema.ts';
import { openApi } from '../src/api/openapi.ts';
import { apiPage } from './api-reference.ts';
import { commandsPage } from './command-reference.ts';
import { licencesPage } from './licences.ts';
import { metricsPage } from './metrics-page.ts';
import { mutants } from './mutants/all.ts';
import { plantedFaultsPage } from './mutants/page.ts';
import { referenceTable } from './reference-table.ts';
import { troubleshootingTables, withTables } from './troubleshooting.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const note = '<!-- Made by scripts/generate-reference.ts from the definitions in src; edit those. -->';

/** Every generated file: its path from the top of the checkout, and its text. */
export function generatedFiles(): Readonly<Record<string, string>> {
  return {
    'schemas/config.schema.json': json(configEditorSchema()),
    'schemas/strategy.schema.json': json(strategyJsonSchema()),
    'schemas/openapi.json': json(openApi()),
    'docs/api.md': apiPage(note),
    'docs/configuration.md': configurationPage(),
    'docs/strategies-reference.md': strategiesPage(),
    'docs/reasons.md': reasonsPage(),
    'docs/alerts.md': alertsPage(),
    'docs/commands.md': commandsPage(note),
    'docs/troubleshooting.md': withTables(written('docs/troubleshooting.md'), troubleshootingTables()),
    'docs/metrics.md': metricsPage(note),
    'docs/planted-faults.md': plantedFaultsPage(mutants, '<!-- Made by scripts/generate-reference.ts from scripts/mutants. -->'),
    'docs/licences.md': licencesPage('<!-- Made by scripts/generate-reference.ts from package-lock.json. -->'),
  };
}

function written(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

const configurationHead = `# Configuration

${note}

One YAML file, \`config/sandbox.yaml\` unless \`--config FILE\` names another. \`magpie check\` says what is wrong with it, with line and
column; \`magpie check --defaults\` prints every default. In an editor with a YAML language server the first line

    # yaml-language-server: $schema=../schemas/config.schema.json

gives completion and checks while typing.

## How the file is read

- **Strictly.** A key that is not listed here, one that stands twice, an empty value, a wrong type: each is a fault, and nothing starts.
  So are aliases, anchors, tags, merge keys, directives, several documents in one file, and files over 256 KiB.
- **Text that YAML would read as something else needs quotes**: what begins with \`*\`, \`&\`, \`!\`, \`@\` or \`%\`, what holds \`: \` or \` #\`, and ids that look like
  numbers (\`0x12ab\`, \`1e9\`, \`0420\`).
- **Durations** are whole numbers with a unit: \`500ms\`, \`10s\`, \`5m\`, \`24h\`, \`7d\`. **Amounts** are US dollars with a point: \`12.50\`. **Sizes** are \`500MB\` or \`2GB\`.
- **\`\${NAME}\`** in a value is replaced from the environment, \`\${NAME:-text}\` with a default for when NAME is unset or empty; an unset or empty
  one without a default is a fault. \`$\${\` stands for the characters themselves. What comes from there is text, and counts as a number or as true or false
  where one is wanted and the whole value is one. Only \`baseUrl\`, \`apiKey\`, \`partnerKey\`, \`tradeUrl\`, \`web.token\`, \`deadMan.url\` and the keys that \`notify\` needs may come out
  empty, which leaves them out; an empty limit is a fault and never "no limit".
- **\`MAGPIE_BASE_URL\`, \`MAGPIE_API_KEY\`, \`MAGPIE_PARTNER_KEY\`, \`MAGPIE_TRADE_URL\` and \`MAGPIE_DATA\`** go before what the file says; \`--data\` goes before
  \`MAGPIE_DATA\`. With \`service.sandbox\` the first four and the same keys of the file are ignored, and the start says so.
- **Paths** are relative to the file; those of the command line and \`MAGPIE_DATA\` to the working folder. The configuration that comes with Magpie keeps its
  data in \`data/sandbox\` below the working folder.
- **A file that was cut off** (a full disk, an editor writing while Magpie reads) can still be valid YAML. One that changes while it is read is refused,
  one without a final line break is warned of. The files that come with Magpie have \`mode\` as their last line: cut anywhere, they are
  a fault or a dry run. Keep it there. A file with \`mode\` at its top that loses its end at a line break can lose limits (\`reserve\`,
  \`never\`, \`perItem\`) without anybody noticing; \`maxPrice\` and a cap for spend are always required in live mode.

- **\`accounts\`** serves several accounts with one process: [accounts.md](accounts.md). Each is what the top says, joined key by key with what stands below its
  name; a list takes the place of the top's.

Live mode needs \`account.apiKey\`, \`account.tradeUrl\` (with \`service.sandbox\` neither), \`limits.maxPrice\`, and one of \`limits.spend.day\` and
\`limits.spend.total\`. \`--dry-run\` makes a live configuration dry-run; nothing makes it live but the file.

## Keys
`;

function configurationPage(): string {
  const schema = configJsonSchema();
  const single = Object.entries(schema.properties ?? {}).filter(([, value]) => !isBlock(value));
  const blocks = Object.entries(schema.properties ?? {}).filter(([, value]) => isBlock(value));
  const top = referenceTable({ properties: Object.fromEntries(single) }, schema);
  const sections = blocks.map(
    ([key, value]) =>
      `### ${key}\n\n${value.description}\n\n${referenceTable(mapped(value) ?? value, schema, mapped(value) ? `${key}.NAME.` : `${key}.`)}`,
  );
  return `${[configurationHead + '\n' + top, ...sections].join('\n\n')}\n`;
}

function isBlock(value: JsonSchema): boolean {
  return value.properties !== undefined || mapped(value) !== undefined;
}

const strategiesHead = `# Strategy files: reference

${note}

A strategy is one YAML file, read as strictly as the configuration; \`\${NAME}\` is not replaced. In an editor:

    # yaml-language-server: $schema=../schemas/strategy.schema.json
`;

function strategiesPage(): string {
  const schema = strategyJsonSchema() as JsonSchema;
  const definitions = Object.entries(schema.definitions ?? {}).map(
    ([name, value]) => `## ${capital(name)}\n\n${value.description ?? ''}\n\n${referenceTable(value, schema)}`,
  );
  return `${[strategiesHead, `## Keys\n\n${referenceTable(schema, schema)}`, ...definitions].join('\n\n').replaceAll('\n\n\n', '\n\n')}\n`;
}

function reasonsPage(): string {
  const rows = Object.entries(reasons).map(([code, { text, passes }]) => `| \`${code}\` | ${text} | ${passes ? 'yes' : 'no'} |`);
  const head = `# Why a match was not bought

${note}

\`magpie why\` and the decisions show one of these codes. The last column says whether the same offer may be admitted later without
having changed.

| Code | Meaning | May pass |
| --- | --- | --- |`;
  return `${[head, ...rows].join('\n')}\n`;
}

function alertsPage(): string {
  const rows = Object.entries(alertKinds).map(([kind, { text, next }]) => `| \`${kind}\` | ${text} | ${next} |`);
  const head = `# Alerts

${note}

What Magpie tells you without being asked: a line \`ALERT\` in its log, kept in the ledger; \`magpie status\` shows the newest,
\`magpie purchases ID\` those about one purchase. Each comes once for its cause, with one next step.
The channels of \`notify\` ([notify.md](notify.md)) are told all of them, or those that \`only\` names.

| Kind | What has happened | What to do |
| --- | --- | --- |`;
  return `${[head, ...rows].join('\n')}\n`;
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [path, text] of Object.entries(generatedFiles())) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
    console.log(path);
  }
}
