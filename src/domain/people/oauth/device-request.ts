import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { Grantor } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context/context.ts';
import type { Services } from '../../../platform/context/services.ts';
import { transact } from '../../../platform/operation/transact.ts';
import { authorizationServer } from './authorization-server.ts';
import { type ConsentRequest, requestOf } from './consent-request.ts';
import type { OAuthError } from './error-page.ts';
import { type Choice, grantAccess } from './grant-access.ts';
import { lockRecord, rewriteRecord } from './stored-record.ts';

/** Seconds that devices are told to wait between two requests for tokens. */
export const POLL_SECONDS = 5;
/** A second less, for what passes on the way. */
const MIN_POLL_MS = (POLL_SECONDS - 1) * 1_000;

/** The length of a code without its hyphen. */
const CODE_LENGTH = 8;

/** A device that waits for a person to enter its code. */
export interface DeviceRequest {
  request: ConsentRequest;
  /**
   * Makes the only decision about it: the device gets the tokens of a grant, or is told that access was denied. False,
   * with nothing changed, if a person has decided before.
   */
  decide(ctx: Context, grantor: Grantor, choice: Choice | 'denied'): Promise<boolean>;
}

/** A code as it is compared, from what a person has entered, in a few characters. */
const normalized = (entered: string) => entered.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');

/**
 * The device that waits with a code. Undefined if there is none, or a person has decided about it, or it has expired.
 * Returns an error if the document of its client can no longer be read.
 */
export async function deviceRequest(
  services: Services,
  entered: string,
): Promise<DeviceRequest | OAuthError | undefined> {
  const userCode = normalized(entered);
  if (userCode.length !== CODE_LENGTH) return undefined;
  const { provider, clientError } = await authorizationServer(services);
  const code = await provider.DeviceCode.findByUserCode(userCode, { ignoreExpiration: true });
  if (!code || code.isExpired) return undefined;
  const client = await provider.Client.find(code.clientId).catch(clientError);
  if (!client || 'error' in client) return client;
  const displayedCode = `${userCode.slice(0, CODE_LENGTH / 2)}-${userCode.slice(CODE_LENGTH / 2)}`;
  const request = { ...requestOf(code.params, client), userCode: displayedCode };
  const { payload } = await code.getValueAndPayload();
  const device = { type: 'DeviceCode', id: code.jti };
  return {
    request,
    decide: (ctx, grantor, choice) =>
      transact(ctx, async (inside) => {
        if (!(await takeUserCode(inside, userCode)) || !(await lockRecord(inside, device))) return false;
        const outcome =
          choice === 'denied'
            ? { error: 'access_denied', errorDescription: 'The user has denied access' }
            : await grantedTo(inside, grantor, request, choice);
        await rewriteRecord(inside, device, { ...payload, ...outcome });
        return true;
      }),
  };
}

/**
 * Deletes the code that a device shows. False if it was deleted before: others wait for the transaction that does it.
 */
async function takeUserCode({ db }: Context, userCode: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('oauth_record')
    .where('type', '=', 'UserCode')
    .where('idHash', '=', hash('sha256', userCode))
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

async function grantedTo(inside: Context, grantor: Grantor, request: ConsentRequest, choice: Choice) {
  return {
    accountId: grantor.userId,
    grantId: await grantAccess(inside, grantor, request, choice),
    scope: request.scopes.join(' '),
    resource: [...request.resources],
  };
}

/**
 * Records that a device asks for tokens. Returns false if it asks too soon after its last request, and true for codes
 * that no device waits with.
 */
export async function recordPoll({ db, clock }: Services, deviceCode: string): Promise<boolean> {
  const now = clock();
  const since = new Date(now.getTime() - MIN_POLL_MS).toISOString();
  const { rows } = await sql<{ isRecorded: boolean }>`
    with waiting as (
      select type, id_hash, polled_at from oauth_record
      where type = 'DeviceCode' and id_hash = ${hash('sha256', deviceCode)} and consumed_at is null),
    recorded as (
      update oauth_record r set polled_at = ${now.toISOString()}::timestamptz
      from waiting w
      where r.type = w.type and r.id_hash = w.id_hash and (r.polled_at is null or r.polled_at <= ${since}::timestamptz)
      returning true)
    select exists (select from recorded) or not exists (select from waiting) as "isRecorded"`.execute(db);
  return rows[0]?.isRecorded ?? true;
}
