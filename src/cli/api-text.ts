import { type Endpoint, versionOf } from '../api/endpoint.ts';
import { ruleText } from '../api/field-rules.ts';
import { fieldsOf } from '../api/fields.ts';
import { schemaOf } from '../api/openapi.ts';
import { parametersOf } from '../api/request.ts';

/** Everything that is known of an endpoint, with an example to copy. */
export function describedEndpoint(row: Endpoint): string {
  const { method, path, summary, rules = [], replacedBy } = row;
  const notDocumented = ['    not documented: whatever is given is sent'];
  return [
    `${method} ${path}`,
    `  ${summary}`,
    `  ${versionOf(row)}, ${row.auth === 'key' ? 'any key' : `a ${row.auth} key`}; ${effect(row)}`,
    `  request ${row.request ?? 'documented'}, answer ${row.payload}`,
    ...(replacedBy === undefined ? [] : [`  legacy: prefer ${replacedBy}`]),
    ...part(
      'path',
      parametersOf(path).map((name) => `    ${name}`),
    ),
    ...part('query', row.request === 'open' ? notDocumented : fieldLines(schemaOf(row.query))),
    ...(row.body ? part('body', row.request === 'open' ? notDocumented : fieldLines(schemaOf(row.body))) : []),
    ...rules.map((rule) => `    ${ruleText(rule)}`),
    ...part(
      'answer',
      row.payload === 'open' ? ['    not documented: it is shown as it comes'] : fieldLines(schemaOf(row.whole ?? row.data)),
    ),
    '',
    'Example:',
    ...exampleOf(row).map((line) => `  ${line}`),
  ].join('\n');
}

function effect({ moves }: Endpoint): string {
  if (moves === 'money') return 'it MOVES MONEY';
  return moves === 'state' ? 'it changes something' : 'it changes nothing';
}

function part(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', `  ${title}`, ...lines];
}

function fieldLines(schema: unknown): string[] {
  const fields = fieldsOf(schema);
  const width = Math.max(0, ...fields.map(({ name }) => name.length));
  return fields.map(
    ({ name, takes, isRequired }) => `    ${name.padEnd(width)}  ${takes}${isRequired ? '' : ' (may be missing)'}`,
  );
}

/** A command line of a shell. */
function exampleOf({ method, path, example = {} }: Endpoint): string[] {
  const { path: parameters = {}, query = {}, body } = example;
  const where = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => parameters[name] ?? name);
  const pairs = Object.entries(query).map(([name, value]) => ` --query ${name}=${value}`);
  const command = `magpie api ${method} ${where}${pairs.join('')}`;
  return body === undefined ? [command] : [`echo '${JSON.stringify(body)}' |`, `  ${command} --body -`];
}
