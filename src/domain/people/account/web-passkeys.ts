import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { userIdOf } from '../../../platform/access/actor.ts';
import { makeSessionSecret } from '../../../platform/access/credentials.ts';
import type { Context } from '../../../platform/context/context.ts';
import { badInput } from '../../../platform/errors/errors.ts';
import { signInCookie } from '../../../platform/http/session-cookie.ts';
import {
  formOf,
  rejectForeignForm,
  seeOther,
  type WebResponse,
  type WebRoute,
} from '../../../platform/http/web-route.ts';
import {
  deletePasskey,
  passkeyOptions,
  passkeySignInOptions,
  registerPasskey,
  startSessionWithPasskey,
  updatePasskey,
} from '../passkeys/index.ts';
import { PASSKEYS } from './passkey-page.ts';
import { accountResponse, browserIn, ownPath, sessionCookie } from './web-responses.ts';

/** The requests of the scripts and forms for passkeys. */
export const passkeyWebRoutes: WebRoute[] = [
  { method: 'POST', path: PASSKEYS.options, handle: options },
  { method: 'POST', path: PASSKEYS.register, handle: register },
  { method: 'POST', path: PASSKEYS.rename, handle: rename },
  { method: 'POST', path: PASSKEYS.remove, handle: remove },
  { method: 'POST', path: PASSKEYS.signInOptions, handle: signInOptions },
  { method: 'POST', path: PASSKEYS.signIn, handle: signIn },
];

const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };

const json = (value: unknown, status = 200, headers: Record<string, string> = {}): WebResponse => ({
  status,
  headers: { ...JSON_HEADERS, ...headers },
  body: JSON.stringify(value),
});

/** Gives options to a browser, which gets a cookie that its response must have. */
async function withBrowser(
  ctx: Context,
  request: FastifyRequest,
  make: (browserSecret: string) => Promise<unknown>,
): Promise<WebResponse> {
  const { config } = ctx.services;
  rejectForeignForm(request, config);
  const browserSecret = browserIn(ctx, request) ?? makeSessionSecret();
  return json(await make(browserSecret), 200, signInCookie(browserSecret, config));
}

function options(ctx: Context, request: FastifyRequest): Promise<WebResponse> {
  return withBrowser(ctx, request, (browserSecret) => passkeyOptions(ctx, browserSecret));
}

function signInOptions(ctx: Context, request: FastifyRequest): Promise<WebResponse> {
  return withBrowser(ctx, request, (browserSecret) => passkeySignInOptions(ctx, browserSecret));
}

const sentCredential = z.object({
  credential: z.unknown(),
  label: z.string().max(200).optional(),
  next: z.string().max(2_000).optional(),
});

/** What the script has sent, and the cookie of the browser. */
function credentialIn(ctx: Context, request: FastifyRequest) {
  rejectForeignForm(request, ctx.services.config);
  const read = sentCredential.safeParse(request.body);
  if (!read.success) throw badInput([], 'The body must be JSON with the credential that the browser has made.');
  return { ...read.data, browserSecret: browserIn(ctx, request) ?? '' };
}

async function register(ctx: Context, request: FastifyRequest): Promise<WebResponse> {
  const { credential, label, browserSecret } = credentialIn(ctx, request);
  await registerPasskey(ctx, { credential, browserSecret, label: label?.trim() || null });
  // Without a fragment, since the browser would not load the page again for one.
  return json({ location: '/account' }, 201);
}

async function signIn(ctx: Context, request: FastifyRequest): Promise<WebResponse> {
  const { credential, next = '', browserSecret } = credentialIn(ctx, request);
  const session = await startSessionWithPasskey(ctx, { credential, browserSecret });
  return json({ location: ownPath(next, ctx.services.config.publicUrl) }, 200, sessionCookie(ctx, session));
}

function rename(ctx: Context, request: FastifyRequest): Promise<WebResponse> {
  const { passkeyId = '', label = '' } = formOf(request);
  return change(ctx, request, () => updatePasskey(ctx, { passkeyId, label }));
}

function remove(ctx: Context, request: FastifyRequest): Promise<WebResponse> {
  const { passkeyId = '' } = formOf(request);
  return change(ctx, request, () => deletePasskey(ctx, { passkeyId }));
}

async function change(ctx: Context, request: FastifyRequest, act: () => Promise<unknown>): Promise<WebResponse> {
  if (userIdOf(ctx.actor) === undefined) rejectForeignForm(request, ctx.services.config);
  return accountResponse(ctx, async () => {
    await act();
    return seeOther('/account#passkeys');
  });
}
