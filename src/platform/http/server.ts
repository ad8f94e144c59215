import { Readable } from 'node:stream';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import { metadataChallenge, rejectOtherAudience } from '../access/audiences.ts';
import { type Authenticate, CHECK_AGAIN_AFTER_MS, makeAuthenticate } from '../access/authenticate.ts';
import { withShareKeys } from '../access/visitors.ts';
import { asAccount } from '../context/account.ts';
import type { Context } from '../context/context.ts';
import { accessOutsideTransactions } from '../context/database-access.ts';
import type { Services } from '../context/services.ts';
import type { StatementMeter } from '../database/statement-meter.ts';
import { ApiError } from '../errors/errors.ts';
import { lazyLog } from '../log/lazy-log.ts';
import { loggable } from '../log/loggable.ts';
import { noteUnexpectedError } from '../log/unexpected-errors.ts';
import { addressBucket } from '../rate-limit/address-bucket.ts';
import { type AllowedMethods, noteMethods } from './allowed-methods.ts';
import { answerBrokenRequest } from './broken-request.ts';
import { type Caller, countedAccount } from './caller.ts';
import { boundQueryString } from './coerce-query.ts';
import { compressResponses } from './compress.ts';
import { allowAllOrigins } from './cors.ts';
import { routeCustomHosts } from './custom-hosts.ts';
import { apiErrorOf, errorBody } from './error-body.ts';
import { type GraphiqlTabs, registerGraphQL } from './graphql-routes.ts';
import type { InContext } from './in-context.ts';
import { limitRate } from './limit-rate.ts';
import { limitBodies } from './limits/body-limits.ts';
import { closeStalledResponse } from './limits/close-stalled-response.ts';
import { takeDownloadSlot } from './limits/download-slots.ts';
import { RequestScheduler, scheduleRequests } from './limits/request-scheduler.ts';
import { limitResponses } from './limits/response-limits.ts';
import { ResponseMemory } from './limits/response-memory.ts';
import { registerMetrics } from './metrics-route.ts';
import type { OpenApiObject } from './openapi/json.ts';
import { registerReference } from './openapi/reference.ts';
import { elsewherePage } from './pages/account-page.ts';
import { registerHandbook } from './pages/handbook.ts';
import { registerInvitePage } from './pages/invite.ts';
import { registerWelcome } from './pages/welcome.ts';
import { type Readiness, registerReadiness } from './readiness.ts';
import { describeRequest, logOf, logRequest, newRequestId } from './request-log.ts';
import { inRequestSpan } from './request-span.ts';
import type { Route } from './route.ts';
import { isScim, SCIM_JSON, scimErrorBody } from './scim.ts';
import { addSecurityHeaders } from './security-headers.ts';
import { sessionSecretOf } from './session-cookie.ts';
import { closeGracefully, type Shutdown } from './shutdown.ts';
import { makeStreamClients } from './stream-client.ts';
import { registerWebApp, type WebApp } from './web-app.ts';
import { addressOfForm, registerWebRoutes, type WebRoute } from './web-route.ts';
import { withDeadline } from './with-deadline.ts';
import { GRAPHQL_PATH, type Yoga } from './yoga.ts';

const MAX_PATH_PARAMETER = 16_384;
/** Time limit for receiving a request, including its body. */
const ARRIVAL_MS = 300_000;
/** Time limit for receiving the headers, and the interval at which connections are checked for both limits. */
const HEADERS_ARRIVAL_MS = 30_000;
const CHECKING_MS = 5_000;

declare module 'fastify' {
  interface FastifyRequest {
    meter: StatementMeter | undefined;
  }
}

export interface ServerParts {
  services: Services;
  routes: Route[];
  /** The application that `urls.app` leads to. */
  webApp: WebApp;
  /** Endpoints outside of REST and GraphQL. */
  webRoutes: readonly WebRoute[];
  /** Makes the OpenAPI description. */
  describe(): OpenApiObject;
  yoga: Yoga;
  graphiqlTabs: GraphiqlTabs;
  shutdown: Shutdown;
  readiness(): Promise<Readiness>;
}

/**
 * Makes the HTTP server with all its routes and hooks. All responses have a request id. Errors have the body of their
 * protocol (`answerError`).
 */
export function makeServer({
  services,
  routes,
  webApp,
  webRoutes,
  describe,
  yoga,
  graphiqlTabs,
  shutdown,
  readiness,
}: ServerParts): FastifyInstance {
  const server = Fastify({
    loggerInstance: services.log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    requestTimeout: ARRIVAL_MS,
    http: { headersTimeout: HEADERS_ARRIVAL_MS, connectionsCheckingInterval: CHECKING_MS },
    trustProxy: (_address, hop) => hop < services.config.trustProxy,
    genReqId: newRequestId,
    childLoggerFactory: (log, bindings, options) => lazyLog(log, () => log.child(bindings, options)),
    return503OnClosing: false,
    clientErrorHandler: answerBrokenRequest,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: MAX_PATH_PARAMETER },
    // Hooks do not run for invalid paths.
    frameworkErrors: (error, request, reply) => logRequest(request, answer(error, request, reply as FastifyReply)),
  });
  const { publicUrl } = services.config;
  const answer = (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
    answerError(error, request, reply, publicUrl);
  const authenticate = makeAuthenticate(services);
  const act = contextMaker(services, authenticate);
  const inContext: InContext = (request, reply, ...rest) =>
    inRequestSpan(request, reply, () => act(request, reply, ...rest));

  server.decorateRequest('meter', undefined);
  server.decorateRequest('callContext', undefined);
  server.decorateRequest('errorCodes', undefined);
  routeCustomHosts(server, services);
  addHooks(server, services);
  addSecurityHeaders(server, publicUrl);
  closeGracefully(server, shutdown);
  const methodsAt = noteMethods(server);
  allowAllOrigins(server, methodsAt);
  const memory = new ResponseMemory(services.config.maxResponseBytes, services.metrics);
  limitResponses(server, memory);
  compressResponses(server);
  limitRate(server, services, authenticate);
  const scheduler = new RequestScheduler();
  limitBodies(server, scheduler, services.metrics);
  scheduleRequests(server, scheduler);
  server.setErrorHandler(answer);
  server.setNotFoundHandler((request, reply) => answer(unknownPath(request, reply, methodsAt), request, reply));

  server.get('/healthz', async () => ({ status: 'ok' }));
  registerReadiness(server, readiness);
  registerMetrics(server, services, authenticate);
  const makeStreamClient = makeStreamClients(server, { authenticate, config: services.config, memory });
  registerGraphQL(server, yoga, { inContext, makeStreamClient, graphiqlTabs });
  registerReference(server, describe);
  registerHandbook(server);
  registerWelcome(server);
  registerInvitePage(server, publicUrl);
  registerWebApp(server, webApp, { publicUrl, files: services.signedFiles?.source });
  for (const route of routes) registerRoute(server, route, inContext);
  registerWebRoutes(server, webRoutes, {
    inContext,
    makeStreamClient,
    memory,
    foreignForm: (request, error) => elsewherePage(error.status, addressOfForm(request, publicUrl)),
  });
  return server;
}

function registerRoute(server: FastifyInstance, route: Route, inContext: InContext): void {
  const { method, path: url, streamedBody, anonymousBody, operationId, about } = route;
  const { openToAnonymous, openToPreviews } = route.operation ?? {};
  const config = { needsToken: openToAnonymous === false && !openToPreviews, anonymousBody, operationId };
  const takesKey = route.operation?.input.shape.shareKey !== undefined;
  // The time to receive a stream depends on the client.
  const limitMs = streamedBody === undefined ? undefined : Number.POSITIVE_INFINITY;
  const streamed = about.givesBytes ?? (about.isLines ? 'lines' : undefined);
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const act = async (ctx: Context) => {
      if (streamed) await takeDownloadSlot(streamed, countedAccount(request), ctx, reply);
      return route.handle(request, reply, takesKey ? await withShareKeys(ctx, shareKeysOf(request)) : ctx);
    };
    const body = await inContext(request, reply, act, limitMs);
    if (body instanceof Readable) closeStalledResponse(request, reply);
    return reply.sent ? reply : reply.send(body ?? undefined);
  };
  if (streamedBody === undefined) {
    server.route({ method, url, config, handler });
    return;
  }
  server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    scope.route({ method, url, config, handler });
  });
}

/** A repeated parameter is not a key. */
const shareKeysOf = ({ query }: FastifyRequest) => [(query as Record<string, unknown>).shareKey];

function contextMaker(services: Services, authenticate: Authenticate): InContext {
  const { serverTiming, requestTimeoutMs } = services.config;
  return (request, reply, act, limitMs = requestTimeoutMs) => {
    const log = logOf(request);
    return withDeadline(reply, { limitMs, log }, async (deadline) => {
      if (request.method === 'GET' || request.method === 'HEAD') deadline.endsWithClient();
      request.meter = serverTiming ? { statements: 0, milliseconds: 0 } : undefined;
      const { caller } = request;
      if (caller?.actor instanceof ApiError) throw caller.actor;
      const actor =
        caller && isJustChecked(caller, services)
          ? caller.actor
          : isScim(request)
            ? await authenticate.provisioners(request.headers.authorization)
            : await authenticate(request.headers.authorization, sessionSecretOf(request, services.config));
      if (actor.kind === 'user') rejectOtherAudience(actor.api, request.routeOptions.url ?? pathOf(request));
      const callSummary = { cost: 0 };
      request.callContext = { actor, callSummary };
      const ctx: Context = {
        ...accessOutsideTransactions(services, request.meter),
        actor,
        services,
        requestId: request.id,
        log,
        deadline,
        address: addressBucket(request.ip),
        userAgent: request.headers['user-agent'],
        allowance: caller?.allowance,
        callSummary,
        inTransaction: false,
      };
      return asAccount(countedAccount(request), () => act(ctx));
    });
  };
}

/** Whether the check of the caller is recent. A body can take minutes to arrive, in which the token is revoked. */
const isJustChecked = ({ checkedAt }: Caller, { clock }: Services): boolean =>
  checkedAt === undefined || clock().getTime() - checkedAt <= CHECK_AGAIN_AFTER_MS;

function addHooks(server: FastifyInstance, { config: { serverTiming }, metrics }: Services): void {
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    boundQueryString(request.url);
    done();
  });
  server.addHook('onSend', ({ meter }, reply, _payload, done) => {
    const { statements, milliseconds } = meter ?? { statements: 0, milliseconds: 0 };
    // Responses depend on the caller, unless their route says otherwise.
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'private, no-store');
    if (serverTiming) reply.header('server-timing', `sql;desc="${statements}";dur=${milliseconds.toFixed(1)}`);
    done();
  });
  server.addHook('onResponse', (request, reply, done) => {
    metrics.request(request.method, request.routeOptions.url, reply.statusCode, reply.elapsedTime / 1_000);
    logRequest(request, reply);
    done();
  });
}

function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply, publicUrl: string): FastifyReply {
  const apiError = apiErrorOf(error);
  const status = apiError?.status ?? 500;
  request.errorCodes = [apiError?.code ?? 'INTERNAL_SERVER_ERROR'];
  // A stream ends early when its client leaves.
  const hasLeft = reply.raw.destroyed && (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE';
  if (!apiError && !hasLeft) {
    noteUnexpectedError(request.log, loggable(error), { ...describeRequest(request), status });
  }
  if (apiError?.cause !== undefined) {
    request.log.warn({ ...describeRequest(request), status, err: loggable(apiError.cause) }, 'unavailable');
  }
  const path = pathOf(request);
  const hasToken = request.headers.authorization !== undefined;
  const challenge = challengeOf(apiError, { hasToken, metadata: metadataChallenge(publicUrl, path) });
  if (challenge !== undefined) reply.header('www-authenticate', challenge);
  const retryAfter = apiError?.retryAfterSeconds ?? (status === 503 ? 1 : undefined);
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
  reply.header('cache-control', 'no-store').header('x-request-id', request.id);
  // A client whose connection is cut while it sends never sees the response. The rest of its body is discarded.
  if (apiError !== undefined && apiError.code !== 'REQUEST_TIMEOUT') reply.removeHeader('connection');
  // Of the response that the error replaces.
  reply.removeHeader('content-encoding').removeHeader('etag');
  if (path.startsWith('/oauth/')) return reply.status(status).send(oauthError(apiError));
  if (isScim(request)) return reply.status(status).type(SCIM_JSON).send(scimErrorBody(apiError, request.id));
  const isOfGraph = path === GRAPHQL_PATH;
  return reply.status(status).send(errorBody(apiError, request.id, { isOfGraph }));
}

/** The challenge of a response (RFC 6750, 3). `metadata` leads clients to where they get a token. */
function challengeOf(
  error: ApiError | undefined,
  { hasToken, metadata }: { hasToken: boolean; metadata: string },
): string | undefined {
  const { status, missingScope } = error ?? {};
  if (missingScope === undefined && status !== 401) return undefined;
  const reason =
    missingScope === undefined
      ? [hasToken ? 'error="invalid_token"' : '']
      : ['error="insufficient_scope"', `scope="${missingScope}"`];
  return `Bearer ${[...reason, metadata].filter(Boolean).join(', ')}`.trim();
}

/** The body of an error at the endpoints of OAuth (RFC 6749, 5.2). */
function oauthError(error: ApiError | undefined) {
  const isOurs = error === undefined || error.status >= 500 || error.status === 429;
  const description = error?.message ?? 'An unexpected error occurred.';
  return {
    error: isOurs ? (error === undefined ? 'server_error' : 'temporarily_unavailable') : 'invalid_request',
    error_description: description,
  };
}

/** For clients of GraphQL over SSE in its "single connection mode", which begins with this request. */
const NO_RESERVATIONS =
  'Streams cannot be reserved: the single connection mode of GraphQL over SSE is not supported. Send each subscription in a separate request (in graphql-sse, without singleConnection).';

/** 405 if the path exists with another method, else 404. */
function unknownPath(request: FastifyRequest, reply: FastifyReply, methodsAt: AllowedMethods): ApiError {
  const path = pathOf(request);
  const methods = methodsAt(path).join(', ');
  if (methods === '') return new ApiError('NOT_FOUND', `${path.slice(0, 200)} does not exist.`);
  reply.header('allow', methods);
  const isReservation = path === GRAPHQL_PATH && request.method === 'PUT';
  const message = `${request.method} is not allowed here. Allowed: ${methods}.`;
  return new ApiError('METHOD_NOT_ALLOWED', isReservation ? `${message} ${NO_RESERVATIONS}` : message);
}

const pathOf = ({ url }: FastifyRequest) => url.split('?', 1)[0] ?? '';
