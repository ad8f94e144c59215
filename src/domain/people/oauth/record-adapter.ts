import { hash } from 'node:crypto';
import type { Adapter, Payload } from 'oidc-provider';
import { DAY_SECONDS } from '../../../lib/durations.ts';
import { forgetToken } from '../../../platform/access/authenticate.ts';
import type { Scope } from '../../../platform/access/scopes.ts';
import type { Context } from '../../../platform/context/context.ts';
import type { Services } from '../../../platform/context/services.ts';
import { recordServiceEvent } from '../../../platform/events/record-event.ts';
import { eventsOfAccount } from '../access/index.ts';
import { organizationsOfGrant } from './end-grant.ts';
import { deleteRecordsOf, forgetTokens } from './load-grants.ts';
import { recordSecret } from './record-secret.ts';

/** How long a registration of a client is kept after its last token. */
const CLIENT_SECONDS = 30 * DAY_SECONDS;
/** The same before its first token. */
const UNUSED_CLIENT_SECONDS = DAY_SECONDS;
/** How long the second use of a code ends its grant. */
const USED_CODE_SECONDS = DAY_SECONDS;
/** How long a device that asks with an expired code is told that it has expired. */
const EXPIRED_DEVICE_SECONDS = 3_600;

const hashOf = (id: string) => hash('sha256', id);

export interface AdapterHooks {
  /** The error for a code or token that another request has used. */
  alreadyUsed(): Error;
  /** Called before something is stored that a client without a token has asked for, and whose request is valid. May refuse it. */
  admit(kind: 'registration' | 'device'): Promise<void>;
}

/**
 * The store of one type of records, in PostgreSQL. Ids are stored as hashes and records encrypted, so that the database
 * contains no token that can be used.
 */
export function adapterOf(services: Services, type: string, hooks: AdapterHooks): Adapter {
  if (type === 'Grant') return grantAdapter(services);
  if (type === 'Session') return SESSIONS;
  const { db } = services;
  const later = (seconds: number) => new Date(services.clock().getTime() + seconds * 1_000).toISOString();
  const at = (id: string) => ({ type, idHash: hashOf(id) });

  /** A client that gets tokens is in use. */
  const keepClient = (clientId: string) =>
    db
      .updateTable('oauth_record')
      .set({ expiresAt: later(CLIENT_SECONDS) })
      .where('type', '=', 'Client')
      .where('idHash', '=', hashOf(clientId))
      .execute();

  return {
    ...NEVER_FOUND,
    async upsert(id, payload, expiresIn = UNUSED_CLIENT_SECONDS) {
      const key = at(id);
      const isToken = type === 'AccessToken';
      const values = {
        payload: recordSecret.encrypt(services, key, JSON.stringify(withoutId(payload, id))),
        grantId: payload.grantId ?? null,
        // The authorization server grants no other scopes.
        scopes: isToken ? ((payload.scope ?? '').split(' ').filter(Boolean) as Scope[]) : null,
        audience: isToken ? (payload.aud ?? null) : null,
        expiresAt: later(expiresIn + (type === 'DeviceCode' ? EXPIRED_DEVICE_SECONDS : 0)),
      };
      const isWaiting = payload.accountId === undefined && payload.error === undefined;
      if (type === 'Client') await hooks.admit('registration');
      if (payload.userCode !== undefined && isWaiting) {
        await hooks.admit('device');
        await adapterOf(services, 'UserCode', hooks).upsert(payload.userCode, { deviceCode: id }, expiresIn);
      }
      await db
        .insertInto('oauth_record')
        .values({ ...key, ...values, createdAt: later(0) })
        .onConflict((conflict) => conflict.columns(['type', 'idHash']).doUpdateSet(values))
        .execute();
      if (isToken && payload.clientId !== undefined) await keepClient(payload.clientId);
    },
    async find(id) {
      const key = at(id);
      const record = await db
        .selectFrom('oauth_record')
        .where('type', '=', type)
        .where('idHash', '=', key.idHash)
        .where('expiresAt', '>', later(0))
        .select(['payload', 'consumedAt', 'expiresAt'])
        .executeTakeFirst();
      const text = record && recordSecret.find(services, key, record.payload);
      if (text === undefined) return undefined;
      const consumed = record?.consumedAt ? seconds(record.consumedAt) : undefined;
      const payload = withId(JSON.parse(text) as Payload, id); // as it was stored
      const { exp, grantId } = payload;
      if (consumed !== undefined && typeof exp === 'number' && exp <= seconds(later(0))) {
        // A code that was used and has expired: the library would not look for its grant.
        if (grantId !== undefined) await grantAdapter(services).destroy(grantId);
        return undefined;
      }
      // The library compares with the clock of the machine.
      const isExpired = type === 'DeviceCode' && record && record.expiresAt <= later(EXPIRED_DEVICE_SECONDS);
      if (isExpired) return { ...payload, exp: 0 };
      return { ...payload, ...(consumed !== undefined && { consumed }) };
    },
    async findByUserCode(code) {
      const userCode = await adapterOf(services, 'UserCode', hooks).find(code);
      return userCode && this.find(String(userCode.deviceCode));
    },
    /** Two requests with the same code or token are a reuse, which ends the grant. */
    async consume(id) {
      const { idHash } = at(id);
      const record = db.updateTable('oauth_record').where('type', '=', type).where('idHash', '=', idHash);
      const used = await record
        .set({ consumedAt: later(0), ...(type === 'AuthorizationCode' && { expiresAt: later(USED_CODE_SECONDS) }) })
        .where('consumedAt', 'is', null)
        .returning('grantId')
        .executeTakeFirst();
      if (used) return;
      const { grantId } = (await db
        .selectFrom('oauth_record')
        .where('type', '=', type)
        .where('idHash', '=', idHash)
        .select('grantId')
        .executeTakeFirst()) ?? { grantId: null };
      if (grantId !== null) await grantAdapter(services).destroy(grantId);
      throw hooks.alreadyUsed();
    },
    async destroy(id) {
      const { idHash } = at(id);
      await db.deleteFrom('oauth_record').where('type', '=', type).where('idHash', '=', idHash).execute();
      if (type === 'AccessToken') forgetToken(services, Buffer.from(idHash, 'hex'));
    },
    async revokeByGrantId(grantId) {
      const deleted = await db
        .deleteFrom('oauth_record')
        .where('type', '=', type)
        .where('grantId', '=', grantId)
        .returning('idHash')
        .execute();
      if (type !== 'AccessToken') return;
      forgetTokens(
        services,
        deleted.map(({ idHash }) => Buffer.from(idHash, 'hex')),
      );
    },
  };
}

/** Locks a record until the transaction ends. False if there is none. */
export async function lockRecord({ db }: Context, { type, id }: { type: string; id: string }): Promise<boolean> {
  const record = await db
    .selectFrom('oauth_record')
    .where('type', '=', type)
    .where('idHash', '=', hashOf(id))
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
  const key = { type, idHash: hashOf(id) };
  await db
    .updateTable('oauth_record')
    .set({
      payload: recordSecret.encrypt(services, key, JSON.stringify(withoutId(payload, id))),
      grantId: payload.grantId ?? null,
    })
    .where('type', '=', type)
    .where('idHash', '=', key.idHash)
    .execute();
}

/** The id of a code or token is its value. Only its hash is stored. */
const withoutId = (payload: Payload, id: string): Payload =>
  payload.jti === id ? { ...payload, jti: undefined } : payload;

const withId = (payload: Payload, id: string): Payload =>
  payload.kind === undefined || payload.jti !== undefined ? payload : { ...payload, jti: id };

/** Only sessions and device codes have other names. */
const NEVER_FOUND = { findByUid: async () => undefined, findByUserCode: async () => undefined };

const seconds = (time: string) => Math.floor(Date.parse(time) / 1_000);

/** Grants are rows of their own, which `grantAccess` writes. Deleting one ends its tokens. */
function grantAdapter(services: Services): Adapter {
  const { db } = services;
  return {
    ...NEVER_FOUND,
    async upsert() {},
    async find(id) {
      const grant = await db
        .selectFrom('oauth_grant as g')
        .leftJoin('saml_provider as sp', 'sp.id', 'g.samlProviderId')
        .where('g.id', '=', id)
        // A grant of an SSO session ends with the identity provider.
        .where((row) => row.or([row('g.samlProviderId', 'is', null), row('sp.id', 'is not', null)]))
        .selectAll('g')
        .executeTakeFirst();
      if (!grant || Date.parse(grant.expiresAt) <= services.clock().getTime()) return undefined;
      const { userId: accountId, clientId, scopes, resources, createdAt, expiresAt } = grant;
      const granted = Object.fromEntries(resources.map((resource) => [resource, scopes.join(' ')]));
      const times = { iat: seconds(createdAt), exp: seconds(expiresAt) };
      return { kind: 'Grant', jti: id, accountId, clientId, resources: granted, ...times };
    },
    async consume() {},
    async destroy(id) {
      const hashes = await db.transaction().execute(async (transaction) => {
        const grant = await transaction
          .deleteFrom('oauth_grant')
          .where('id', '=', id)
          .returning(['userId', 'organizationIds', 'samlProviderId'])
          .executeTakeFirst();
        const deleted = await deleteRecordsOf(transaction, [id]);
        if (!grant) return deleted;
        const ids = { oauthGrantId: id, userId: grant.userId };
        const now = services.clock().toISOString();
        const revoked = { kind: 'oauth_grant_revoked' as const, ids };
        for (const event of await eventsOfAccount({ db: transaction }, revoked, organizationsOfGrant(grant)))
          await recordServiceEvent(transaction, now, event);
        return deleted;
      });
      forgetTokens(services, hashes);
      services.eventSignal.raise();
    },
    async revokeByGrantId() {},
  };
}

/**
 * The library's own sign-ins are not kept. Each request for access is decided with the session of the service, so that
 * signing out or in as another person has effect at once.
 */
const SESSIONS: Adapter = {
  ...NEVER_FOUND,
  async upsert() {},
  async find() {
    return undefined;
  },
  async consume() {},
  async destroy() {},
  async revokeByGrantId() {},
};
