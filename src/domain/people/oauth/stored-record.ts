import { hash } from 'node:crypto';
import type { Payload } from 'oidc-provider';
import type { Context } from '../../../platform/context/context.ts';
import type { Services } from '../../../platform/context/services.ts';
import { recordSecret } from './record-secret.ts';

/** Key of a row of `oauth_record`. Ids are stored as hashes: the id of a code or token is its value. */
interface RecordKey {
  type: string;
  idHash: string;
}

export const recordKey = (type: string, id: string): RecordKey => ({ type, idHash: hash('sha256', id) });

/** The encrypted payload of a record. It does not contain the id. */
export const encryptRecord = (services: Services, type: string, id: string, payload: Payload): Buffer =>
  recordSecret.encrypt(services, recordKey(type, id), JSON.stringify(withoutId(payload, id)));

/** The payload of a record, with its id. Undefined if it was encrypted with a key that was lost. */
export function decryptRecord(services: Services, type: string, id: string, encrypted: Buffer): Payload | undefined {
  const text = recordSecret.find(services, recordKey(type, id), encrypted);
  return text === undefined ? undefined : withId(JSON.parse(text) as Payload, id); // as it was stored
}

/** A time in seconds since 1970, as the library has it. */
export const secondsOf = (time: string): number => Math.floor(Date.parse(time) / 1_000);

const withoutId = (payload: Payload, id: string): Payload =>
  payload.jti === id ? { ...payload, jti: undefined } : payload;

const withId = (payload: Payload, id: string): Payload =>
  payload.kind === undefined || payload.jti !== undefined ? payload : { ...payload, jti: id };

/** Locks a record until the transaction ends. False if there is none. */
export async function lockRecord({ db }: Context, { type, id }: { type: string; id: string }): Promise<boolean> {
  const record = await db
    .selectFrom('oauth_record')
    .where('type', '=', type)
    .where('idHash', '=', recordKey(type, id).idHash)
    .select('type')
    .forUpdate()
    .executeTakeFirst();
  return record !== undefined;
}

/** Replaces what is stored in a record, in a transaction. It expires as before. */
export async function rewriteRecord(
  { db, services }: Context,
  { type, id }: { type: string; id: string },
  payload: Payload,
): Promise<void> {
  await db
    .updateTable('oauth_record')
    .set({ payload: encryptRecord(services, type, id, payload), grantId: payload.grantId ?? null })
    .where('type', '=', type)
    .where('idHash', '=', recordKey(type, id).idHash)
    .execute();
}
