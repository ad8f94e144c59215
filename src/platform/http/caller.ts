import type { FastifyRequest } from 'fastify';
import { type Actor, isPublicCaller } from '../access/actor.ts';
import { ApiError } from '../errors/errors.ts';
import { addressBucket } from '../rate-limit/address-bucket.ts';
import type { Allowance } from '../rate-limit/rate-limiter.ts';

/** The caller of a request. An error of the token is only returned for paths that exist. */
export interface Caller {
  actor: Actor | ApiError;
  /**
   * When the caller was authenticated, by the clock of the service in milliseconds. Undefined on routes that ignore it.
   */
  checkedAt?: number;
  /** Account that requests are counted under: the user, regardless of the token, or the address. */
  account: string;
  allowance: Allowance | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined on routes that do not authenticate. */
    caller: Caller | undefined;
  }
}

/** The name under which a caller's streams and bytes are counted. A user has one for all tokens. */
export function accountOf(actor: Actor | ApiError, address: string): string {
  if (actor instanceof ApiError) return address;
  if (actor.kind === 'user') return actor.userId;
  if (actor.kind === 'provisioner') return actor.scimTokenId;
  return actor.kind === 'integration' ? actor.installationId : address;
}

/** Whether the request is of a user, an integration or a provisioner. */
export const isKnownCaller = (caller: Caller | undefined): boolean =>
  caller !== undefined && !(caller.actor instanceof ApiError) && !isPublicCaller(caller.actor);

/** The account of a request, or its address, as it is counted, on routes that do not authenticate. */
export const countedAccount = ({ caller, ip }: Pick<FastifyRequest, 'caller' | 'ip'>): string =>
  caller?.account ?? addressBucket(ip);
