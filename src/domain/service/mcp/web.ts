import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { orAborted } from '../../../lib/or-aborted.ts';
import { userRequired } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context/context.ts';
import { unauthenticated } from '../../../platform/errors/errors.ts';
import { rejectLargeResponse } from '../../../platform/http/limits/response-memory.ts';
import { isLong, writeJson } from '../../../platform/http/limits/write-json.ts';
import type { Method, Route } from '../../../platform/http/route.ts';
import type { RestInput } from '../../../platform/http/route-input.ts';
import type { WebClient, WebResponse, WebRoute } from '../../../platform/http/web-route.ts';
import { noteError } from '../../../platform/mcp/note-error.ts';
import { mcpMessageOf, refuseMcpStream, rejectForeignOrigin, toWebResponse } from '../../../platform/mcp/transport.ts';
import type { Agent, RestCall } from './agent.ts';

const PATH = '/mcp';

/** The endpoint of the Model Context Protocol for users: its tools run the operations of these routes. */
export function mcpRoutes(routes: readonly Route[]): WebRoute[] {
  const byOperation = new Map(routes.map((route) => [route.operationId, route]));
  return [
    {
      method: 'POST',
      path: PATH,
      needsToken: true,
      handle: (ctx, request, client) => answerUser(ctx, { request, client, routes: byOperation }),
    },
    { method: 'GET', path: PATH, handle: refuseMcpStream },
    { method: 'DELETE', path: PATH, handle: refuseMcpStream },
  ];
}

interface Received {
  request: FastifyRequest;
  client: WebClient;
  routes: ReadonlyMap<string, Route>;
}

async function answerUser(ctx: Context, { request, client, routes }: Received): Promise<WebResponse> {
  rejectForeignOrigin(ctx.services.config, request);
  // Sessions of browsers have no effect here: an agent needs a token that is revoked on its own.
  const { actor } = ctx;
  if (request.headers.authorization === undefined || actor.kind === 'anonymous') throw unauthenticated();
  if (actor.kind !== 'user') throw userRequired();
  const { answerAgent } = await import('./answer-agent.ts');
  const message = mcpMessageOf(request);
  const clientName = clientNameIn(message.body) ?? ctx.userAgent;
  const agent = agentOf(ctx, { userId: actor.userId, clientName, routes, request });
  const response = await answerAgent(agent, message, {
    left: client.left,
    begin: (begun) => client.begin(toWebResponse(begun)),
    openStream: client.openStream,
  });
  return toWebResponse(response);
}

interface Caller {
  userId: string;
  clientName: string | undefined;
  routes: ReadonlyMap<string, Route>;
  request: FastifyRequest;
  idempotencyKey?: string;
}

const agentOf = (ctx: Context, caller: Caller): Agent => ({
  ctx,
  userId: caller.userId,
  calling(tool, noteStep) {
    // The log of requests names the operation.
    if (ctx.callSummary) ctx.callSummary.operation = tool;
    const agentCall = { tool, ...shortName(caller.clientName) };
    return agentOf({ ...ctx, agentCall, ...(noteStep && { noteStep }) }, caller);
  },
  withKey: (idempotencyKey) => agentOf(ctx, { ...caller, idempotencyKey }),
  async rest(operationId, call) {
    const route = caller.routes.get(operationId);
    if (!route?.call) throw new Error(`rest() was called with ${operationId}, which is not a route that answers JSON.`);
    const { idempotencyKey } = caller;
    const terms = route.operation?.kind === 'command' ? { idempotencyKey } : undefined;
    const called = route.call(inputOf(call), ctx, terms);
    // A response that has begun as a stream ends at the deadline, too, whatever the call waits for.
    return plainJson(ctx, route.method, await (ctx.deadline ? orAborted(ctx.deadline.signal, called) : called));
  },
  noteError(error) {
    const fault = noteError(ctx, error);
    caller.request.errorCodes = [...(caller.request.errorCodes ?? []), fault.code];
    return fault;
  },
});

/** What REST would send for a value. Throws QUERY_TOO_COMPLEX where REST would. */
async function plainJson({ services }: Context, method: Method, value: unknown): Promise<unknown> {
  if (!isLong(value)) return JSON.parse(JSON.stringify(value));
  const { maxResponseBytes } = services.config;
  let size = 0;
  const json = await writeJson(value, (bytes) => {
    size += bytes;
    if (size > maxResponseBytes) rejectLargeResponse(method, maxResponseBytes);
  });
  return JSON.parse(json.toString());
}

/** Parameters of the query are strings, as in URLs. */
const inputOf = ({ params = {}, query = {}, body }: RestCall): RestInput => ({
  params,
  query: Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  ),
  body: body === undefined ? undefined : JSON.parse(JSON.stringify(body)),
  prefersAsync: false,
});

const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo';
const namingClient = z.object({
  params: z.object({ _meta: z.object({ [CLIENT_INFO]: z.object({ name: z.string() }) }) }),
});

/** The name that a client gives itself in each message, since version 2026-07-28 of the protocol. */
const clientNameIn = (message: unknown): string | undefined =>
  namingClient.safeParse(message).data?.params._meta[CLIENT_INFO].name;

const MAX_NAME = 100;

/** A name without control characters, which PostgreSQL or a log viewer would trip over. */
const shortName = (name: string | undefined): { clientName?: string } =>
  name === undefined
    ? {}
    : {
        clientName: name
          .slice(0, MAX_NAME)
          .toWellFormed()
          .replace(/\p{Cc}/gu, ' '),
      };
