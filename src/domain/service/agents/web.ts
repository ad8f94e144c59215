import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { unauthenticated } from '../../../platform/errors/errors.ts';
import { apiErrorOf } from '../../../platform/http/error-body.ts';
import type { RestInput, Route } from '../../../platform/http/route.ts';
import type { WebAnswer, WebRoute } from '../../../platform/http/web-route.ts';
import { mcpAnswered, mcpMessageOf, refuseMcpStream, rejectForeignOrigin } from '../../../platform/mcp/transport.ts';
import type { Agent, RestCall } from './agent.ts';

const PATH = '/mcp';

/** The endpoint of the Model Context Protocol for users: its tools run the operations of these routes. */
export function mcpRoutes(routes: readonly Route[]): WebRoute[] {
  const byOperation = new Map(routes.map((route) => [route.operationId, route]));
  return [
    { method: 'POST', path: PATH, needsToken: true, handle: (ctx, request) => answerUser(ctx, request, byOperation) },
    { method: 'GET', path: PATH, handle: refuseMcpStream },
    { method: 'DELETE', path: PATH, handle: refuseMcpStream },
  ];
}

async function answerUser(
  ctx: Context,
  request: FastifyRequest,
  routes: ReadonlyMap<string, Route>,
): Promise<WebAnswer> {
  rejectForeignOrigin(ctx.services.config, request);
  // Sessions of browsers have no effect here: an agent needs a token that is revoked on its own.
  const { actor } = ctx;
  if (actor.kind !== 'user' || request.headers.authorization === undefined) throw unauthenticated();
  const { answerAgent } = await import('./make-server.ts');
  const message = mcpMessageOf(request);
  const clientName = clientNameIn(message.body) ?? ctx.userAgent;
  return mcpAnswered(await answerAgent(agentOf(ctx, { userId: actor.userId, clientName, routes }), message));
}

interface Caller {
  userId: string;
  clientName: string | undefined;
  routes: ReadonlyMap<string, Route>;
}

const agentOf = (ctx: Context, caller: Caller): Agent => ({
  ctx,
  userId: caller.userId,
  apiErrorOf,
  calling: (tool) => agentOf({ ...ctx, agentCall: { tool, ...shortName(caller.clientName) } }, caller),
  async rest(operationId, given) {
    const route = caller.routes.get(operationId);
    if (!route?.call) throw new Error(`rest() was called with ${operationId}, which is not a route that answers JSON.`);
    return JSON.parse(JSON.stringify(await route.call(inputOf(given), ctx)));
  },
});

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
