import type { FastifyRequest } from 'fastify';
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
  if (ctx.actor.kind !== 'user' || request.headers.authorization === undefined) throw unauthenticated();
  const { answerAgent } = await import('./make-server.ts');
  return mcpAnswered(await answerAgent(agentOf(ctx, routes), mcpMessageOf(request)));
}

const agentOf = (ctx: Context, routes: ReadonlyMap<string, Route>): Agent => ({
  ctx,
  apiErrorOf,
  async rest(operationId, given) {
    const route = routes.get(operationId);
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
