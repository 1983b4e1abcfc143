import { type Command, InvalidArgumentError, Option } from 'commander';
import type { EndpointName } from '../api/endpoints.ts';
import { queryFromText } from '../api/query.ts';
import { routeOf, type Route } from '../api/routes.ts';
import { printable } from '../domain/text.ts';
import type { HandRequest } from '../gateway/hand.ts';
import { agreedTo } from './agreed.ts';
import { bodyGiven } from './api-body.ts';
import { routesNear } from './api-near.ts';
import { describedEndpoint } from './api-text.ts';
import { type AddCommand, type SharedOptions, examples } from './command.ts';
import { callByHand, type ReplyByHand } from './api-call.ts';
import { CommandFailure, type ExitCode, exits } from './exit.ts';
import type { Io } from './io.ts';
import { printJson } from './json.ts';
import { refusal, type ServiceByHand, withService } from './service.ts';
import { placesOf } from './settings.ts';

interface ApiOptions extends SharedOptions {
  readonly query?: readonly (readonly [string, string])[];
  readonly body?: string;
  readonly describe?: boolean;
  readonly purpose?: string;
  readonly as?: 'account' | 'partner';
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** Bought is by `magpie buy` alone, which has the journal and the caps. */
const buys: ReadonlySet<EndpointName> = new Set(['buy', 'legacyBuy']);

export const addApi: AddCommand = (program, { io, run }) => {
  program
    .command('api')
    .summary('call any endpoint of the partner API')
    .description(
      'Calls one endpoint of the partner API with the key of the configuration, checked by the rules of its document, and prints what it answers. It is sent once and never repeated. What moves money is asked about first; buys are refused, except on a sandbox.',
    )
    .argument('<METHOD>', '`GET` or `POST`', methodGiven)
    .argument('<PATH>', 'such as /v1/user; docs/api.md lists all')
    .option('--query <NAME=VALUE>', 'a parameter of the query; may be given several times', pairGiven)
    .option('--body <FILE>', 'a file with the JSON of the body; `-` reads it from standard input')
    .option('--purpose <TEXT>', 'what a transfer is for: it is made once for it, however often this is repeated')
    .option('--describe', 'show what the endpoint takes and answers, with an example, and send nothing')
    .addOption(new Option('--as <WHICH>', 'whose key asks, where not the usual one').choices(['account', 'partner']))
    .option('--yes', 'send what moves money without asking')
    .option('--json', 'print one JSON document: ok, status, requestId and data')
    .addHelpText(
      'after',
      examples(
        'magpie api GET /v1/user',
        'magpie api GET /v2/market/search --query q=redline --query maxPrice=20',
        'magpie api --describe POST /v1/partner/transfers',
        'magpie api POST /v1/partner/transfers --body transfer.json --purpose funding-2026-11-28-merchant-7',
      ),
    )
    .action((method: string, path: string, _: unknown, command: Command) =>
      run(() => api(io, method, path, command.optsWithGlobals<ApiOptions>())),
    );
};

function methodGiven(text: string): string {
  const method = text.toUpperCase();
  if (method === 'GET' || method === 'POST') return method;
  throw new InvalidArgumentError('GET or POST is needed.');
}

function pairGiven(text: string, before: ApiOptions['query'] = []): ApiOptions['query'] {
  const at = text.indexOf('=');
  if (at > 0) return [...before, [text.slice(0, at), text.slice(at + 1)]];
  throw new InvalidArgumentError('NAME=VALUE is needed.');
}

async function api(io: Io, method: string, path: string, options: ApiOptions): Promise<ExitCode> {
  const route = routeFor(method, path);
  if (options.describe === true) {
    io.out.line(describedEndpoint(route.endpoint));
    return exits.done;
  }
  const { endpoint, params } = route;
  const query = queryFromText(endpoint.query, Object.fromEntries(options.query ?? []));
  const body = options.body === undefined ? undefined : bodyGiven(io, options.body);
  return withService(io, options, async (service) => {
    if (buys.has(route.name) && !service.isPlayMoney) throw buyElsewhere();
    const request = { path: params, query, body, key: options.as };
    await agreed(io, service, route, request, options);
    return tell(io, options, await callByHand(service, route.name, request, options.purpose));
  });
}

function routeFor(method: string, path: string): Route {
  const route = routeOf(method, path);
  if (route) return route;
  const near = routesNear(method, path);
  const next = near.length === 0 ? 'docs/api.md lists all' : `did you mean ${near.join(' or ')}?`;
  throw new CommandFailure(exits.wrong, `There is no endpoint ${method} ${printable(path, 200)}. → ${next}`);
}

function buyElsewhere(): CommandFailure {
  return new CommandFailure(
    exits.wrong,
    'Nothing was sent: this endpoint buys, past the journal and every cap. → `magpie buy LISTING_ID --market MARKET` buys one listing',
  );
}

/** Whoever moves money by hand sees what is sent and where, and says so. */
async function agreed(io: Io, service: ServiceByHand, route: Route, request: HandRequest, options: ApiOptions): Promise<void> {
  const { endpoint } = route;
  if (endpoint.moves === undefined) return;
  io.err.line(placesOf(io, service.settings));
  if (endpoint.moves !== 'money') return;
  const sent = `${endpoint.method} ${endpoint.path} ${printable(JSON.stringify(request.body ?? null), 1_000)}`;
  const purpose = options.purpose === undefined ? '' : `\n  for ${printable(options.purpose)}`;
  await agreedTo(io, { what: `${sent}${purpose}`, isPlayMoney: service.isPlayMoney, yes: options.yes });
}

function tell(io: Io, { json = false }: ApiOptions, reply: ReplyByHand): ExitCode {
  if (!reply.ok) {
    if (!json) throw refusal(reply.fault);
    const { class: outcome, cause, code, message, status, requestId, sent } = reply.fault;
    const failure = { outcome, cause, code: code ?? null, message, sent };
    printJson(io, { ok: false, status: status ?? null, requestId: requestId ?? null, ...failure });
    return refusal(reply.fault).code;
  }
  const { data, status, requestId, odd, wasDone = false, notNoted } = reply;
  if (json)
    printJson(io, { ok: odd === undefined, status, requestId: requestId ?? null, odd: odd ?? null, sent: !wasDone, data });
  else printJson(io, data);
  if (!json) io.err.line(`HTTP ${status}, requestId ${printable(requestId ?? 'none')}`);
  if (wasDone) io.err.line('Nothing was sent: this transfer was made before, and that is what was answered then.');
  if (notNoted !== undefined) io.err.line(io.err.palette.bad(`It was made, but could not be noted: ${notNoted}`));
  if (odd === undefined) return notNoted === undefined ? exits.done : exits.failed;
  io.err.line(io.err.palette.bad(`The answer is not as the document says: ${printable(odd)}`));
  return exits.failed;
}
