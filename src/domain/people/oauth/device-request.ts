import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { DeviceCode } from 'oidc-provider';
import type { Services } from '../../../platform/context/services.ts';
import { authorizationServer } from './authorization-server.ts';
import { type ConsentRequest, requestOf } from './consent-request.ts';

/** Seconds that devices are told to wait between two requests for tokens. */
export const POLL_SECONDS = 5;
/** A second less, for what passes on the way. */
const MIN_POLL_MS = (POLL_SECONDS - 1) * 1_000;

/** The length of a code without its hyphen. */
const CODE_LENGTH = 8;

/** A device that waits for a person to enter its code. */
export interface DeviceRequest {
  request: ConsentRequest;
  /** Lets the device get the tokens of a grant, or tells it that access was denied. */
  settle(decision: { userId: string; grantId: string } | 'denied'): Promise<void>;
}

/** A code as it is compared, from what a person has entered, in a few characters. */
const normalized = (entered: string) => entered.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');

/** The device that waits with a code. Undefined if there is none, or a person has decided about it, or it has expired. */
export async function deviceRequest(services: Services, entered: string): Promise<DeviceRequest | undefined> {
  const userCode = normalized(entered);
  if (userCode.length !== CODE_LENGTH) return undefined;
  const { provider } = await authorizationServer(services);
  const code = await provider.DeviceCode.findByUserCode(userCode, { ignoreExpiration: true });
  if (!code || code.isExpired) return undefined;
  const client = await provider.Client.find(code.clientId);
  if (!client) return undefined;
  const shown = `${userCode.slice(0, CODE_LENGTH / 2)}-${userCode.slice(CODE_LENGTH / 2)}`;
  const request = { ...requestOf(code.params, client), userCode: shown };
  return { request, settle: (decision) => settle(code, request, decision) };
}

async function settle(
  code: DeviceCode,
  { resources, scopes }: ConsentRequest,
  decision: { userId: string; grantId: string } | 'denied',
): Promise<void> {
  const outcome =
    decision === 'denied'
      ? { error: 'access_denied', errorDescription: 'The user has denied access' }
      : {
          accountId: decision.userId,
          grantId: decision.grantId,
          scope: scopes.join(' '),
          resource: resources,
        };
  await Object.assign(code, outcome).save();
}

/** Takes a code of a device, so that one decision is made about it. False if another one was made. */
export async function takeUserCode({ db }: Services, entered: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('oauth_record')
    .where('type', '=', 'UserCode')
    .where('idHash', '=', hash('sha256', normalized(entered)))
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Notes that a device asks for tokens. False if it has asked too shortly before. True for codes of no device that waits. */
export async function notePoll({ db, clock }: Services, deviceCode: string): Promise<boolean> {
  const now = clock();
  const since = new Date(now.getTime() - MIN_POLL_MS).toISOString();
  const { rows } = await sql<{ isNoted: boolean }>`
    with waiting as (
      select type, id_hash, polled_at from oauth_record
      where type = 'DeviceCode' and id_hash = ${hash('sha256', deviceCode)} and consumed_at is null),
    noted as (
      update oauth_record r set polled_at = ${now.toISOString()}::timestamptz
      from waiting w
      where r.type = w.type and r.id_hash = w.id_hash and (r.polled_at is null or r.polled_at <= ${since}::timestamptz)
      returning true)
    select exists (select from noted) or not exists (select from waiting) as "isNoted"`.execute(db);
  return rows[0]?.isNoted ?? true;
}
