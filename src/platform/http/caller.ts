import type { Actor } from '../access/actor.ts';
import { ApiError } from '../errors.ts';
import type { Allowance } from '../rate-limit/allowance.ts';

/** The caller of a request, by its headers. Errors of the token are only returned for paths that exist. */
export interface Caller {
  actor: Actor | ApiError;
  /** Who is responsible for what it takes: a user whatever the token, or an address. */
  account: string;
  allowance: Allowance | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** None on addresses that nobody is asked at. */
    caller: Caller | undefined;
  }
}

/** The name under which a caller's streams and bytes are counted: a user has one, with however many tokens. */
export function accountOf(actor: Actor | ApiError, address: string): string {
  if (actor instanceof ApiError) return address;
  if (actor.kind === 'user') return actor.userId;
  if (actor.kind === 'integration') return actor.installationId;
  return actor.kind === 'site-token' ? actor.siteId : address;
}

/** Whether a request came with a token that names somebody. */
export const isKnownCaller = (caller: Caller | undefined): boolean =>
  caller !== undefined && !(caller.actor instanceof ApiError) && caller.actor.kind !== 'anonymous';
