import { z } from 'zod';
import type { Endpoint } from './endpoint.ts';
import { versionOf } from './endpoint.ts';
import { endpoints } from './endpoints.ts';
import { ruleSchema } from './field-rules.ts';
import { mayLackBody, parametersOf } from './request.ts';
import { webhookEvents } from './webhooks.ts';

type Json = Readonly<Record<string, unknown>>;

const TEXT = { type: 'string' };

/** The table as a document of OpenAPI 3.1. What the document of the API leaves open takes anything here. */
export function openApi(): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const [name, row] of Object.entries(endpoints) as [string, Endpoint][])
    paths[row.path] = { ...paths[row.path], [row.method.toLowerCase()]: operation(name, row) };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Marketplace Trading Partner API',
      version: '2',
      summary: 'Search, buy, wallet, history and partner tooling, as Magpie knows it.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The service that serves this document.' }],
    security: [{ apiKey: [] }],
    paths,
    webhooks: Object.fromEntries(Object.entries(webhookEvents).map(([name, summary]) => [name, webhook(name, summary)])),
    components: {
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' } },
      schemas: { Failure: failure },
    },
  };
}

/** How a failure looks is our assumption: the document shows none. */
const failure = {
  type: 'object',
  properties: { requestId: TEXT, success: { type: 'boolean' }, code: TEXT, message: TEXT },
  required: ['success'],
};

function operation(name: string, row: Endpoint): Json {
  const { summary, auth, moves, replacedBy } = row;
  const notes = [
    auth === 'key' ? 'Any key may call.' : `Needs a ${auth} key.`,
    ...(moves === undefined ? [] : [moves === 'money' ? 'It moves money.' : 'It changes something.']),
    ...(replacedBy === undefined ? [] : [`Legacy: prefer ${replacedBy}.`]),
    ...(row.request === 'open' ? ['The request is not documented.'] : []),
    ...(row.payload === 'open' ? ['The answer is not documented.'] : []),
  ];
  return {
    operationId: name,
    summary,
    description: notes.join(' '),
    tags: [versionOf(row)],
    ...(replacedBy === undefined ? {} : { deprecated: true }),
    parameters: parametersFor(row),
    ...(row.body ? { requestBody: { required: !mayLackBody(row), content: jsonContent(bodySchema(row, row.body)) } } : {}),
    responses: {
      '200': { description: 'Success.', content: jsonContent(envelope(schemaOf(row.whole ?? row.data))) },
      '4XX': { description: 'Refused.', content: jsonContent({ $ref: '#/components/schemas/Failure' }) },
    },
  };
}

function webhook(name: string, summary: string): Json {
  const responses = { '200': { description: 'Taken.' } };
  return { post: { operationId: name, summary, requestBody: { content: jsonContent({}) }, responses } };
}

function parametersFor(row: Endpoint): Json[] {
  const query = schemaOf(row.query) as { properties?: Json; required?: readonly string[] };
  return [
    ...parametersOf(row.path).map((name) => ({ name, in: 'path', required: true, schema: TEXT })),
    ...Object.entries(query.properties ?? {}).map(([name, schema]) => ({
      name,
      in: 'query',
      required: query.required?.includes(name) === true,
      schema,
    })),
  ];
}

function bodySchema({ rules = [] }: Endpoint, body: z.ZodType): Json {
  return Object.assign({}, schemaOf(body), ...rules.map(ruleSchema)) as Json;
}

function envelope(data: Json): Json {
  const properties = { requestId: TEXT, success: { type: 'boolean', const: true }, data };
  return { type: 'object', properties, required: ['requestId', 'success', 'data'] };
}

function jsonContent(schema: Json): Json {
  return { 'application/json': { schema } };
}

/** A shape of the table as JSON Schema. */
export function schemaOf(schema: z.ZodType): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input' });
  return json;
}
