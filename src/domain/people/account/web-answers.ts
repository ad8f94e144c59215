import type { FastifyRequest } from 'fastify';
import type { Context } from '../../../platform/context/context.ts';
import { setCookie } from '../../../platform/http/session-cookie.ts';
import type { StartedSession } from '../sessions/index.ts';

/** The path to go on to after a sign-in: only pages of the application and of the account are followed. */
export function ownPath(next: string, publicUrl: string): string {
  const { origin, pathname, search, hash } = URL.parse(next, publicUrl) ?? new URL(publicUrl);
  const isOwn = origin === new URL(publicUrl).origin && /^\/(?:app|account)(?:\/|$)/.test(pathname);
  return isOwn ? `${pathname}${search}${hash}` : '/app';
}

/** The header that gives a browser its session. */
export const sessionCookie = ({ services: { config } }: Context, { secret, maxAgeSeconds }: StartedSession) => ({
  'set-cookie': setCookie('session', secret, maxAgeSeconds, config),
});

/** A parameter of the query string, if it is sent once. */
export function queryOf({ query }: FastifyRequest, name: string): string | undefined {
  const value = (query as Record<string, unknown>)[name]; // Fastify's query parser gives an object
  return typeof value === 'string' ? value : undefined;
}
