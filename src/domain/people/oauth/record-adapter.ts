import { hash } from 'node:crypto';
import type { Adapter, Payload } from 'oidc-provider';
import { forgetToken } from '../../../platform/access/authenticate.ts';
import type { Scope } from '../../../platform/access/scopes.ts';
import type { Services } from '../../../platform/context/services.ts';
import { recordServiceEvent } from '../../../platform/events/record-event.ts';
import { eventsOfAccount } from '../access/index.ts';
import { deleteRecordsOf, forgetTokens } from './load-grants.ts';
import { recordSecret } from './record-secret.ts';

/** How long a registration of a client is kept without use. */
const CLIENT_SECONDS = 30 * 86_400;

const hashOf = (id: string) => hash('sha256', id);

/**
 * The store of one type of records, in PostgreSQL. Ids are stored as hashes and records encrypted, so that the database
 * contains no token that can be used. `alreadyUsed` makes the error for a code or token that another request has used.
 */
export function adapterOf(services: Services, type: string, alreadyUsed: () => Error): Adapter {
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
    async upsert(id, payload, expiresIn = CLIENT_SECONDS) {
      const key = at(id);
      const isToken = type === 'AccessToken';
      const values = {
        payload: recordSecret.encrypt(services, key, JSON.stringify(payload)),
        grantId: payload.grantId ?? null,
        // The authorization server grants no other scopes.
        scopes: isToken ? ((payload.scope ?? '').split(' ').filter(Boolean) as Scope[]) : null,
        audience: isToken ? (payload.aud ?? null) : null,
        expiresAt: later(expiresIn),
      };
      await db
        .insertInto('oauth_record')
        .values({ ...key, ...values, createdAt: later(0) })
        .onConflict((conflict) => conflict.columns(['type', 'idHash']).doUpdateSet(values))
        .execute();
      if (isToken && payload.clientId !== undefined) await keepClient(payload.clientId);
    },
    async find(id) {
      const key = at(id);
      const found = await db
        .selectFrom('oauth_record')
        .where('type', '=', type)
        .where('idHash', '=', key.idHash)
        .where('expiresAt', '>', later(0))
        .select(['payload', 'consumedAt'])
        .executeTakeFirst();
      const text = found && recordSecret.find(services, key, found.payload);
      if (text === undefined) return undefined;
      const consumed = found?.consumedAt ? Math.floor(Date.parse(found.consumedAt) / 1_000) : undefined;
      return { ...(JSON.parse(text) as Payload), ...(consumed !== undefined && { consumed }) }; // as it was stored
    },
    /** Two requests with the same code or token are a reuse, which ends the grant. */
    async consume(id) {
      const { idHash } = at(id);
      const record = db.updateTable('oauth_record').where('type', '=', type).where('idHash', '=', idHash);
      const used = await record
        .set({ consumedAt: later(0) })
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
      throw alreadyUsed();
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

/** Only sessions and device codes are found by other names. */
const NEVER_FOUND = { findByUid: async () => undefined, findByUserCode: async () => undefined };

const seconds = (time: string) => Math.floor(Date.parse(time) / 1_000);

/** Grants are rows of their own, which `grantAccess` writes. Deleting one ends its tokens. */
function grantAdapter(services: Services): Adapter {
  const { db } = services;
  return {
    ...NEVER_FOUND,
    async upsert() {},
    async find(id) {
      const grant = await db.selectFrom('oauth_grant').where('id', '=', id).selectAll().executeTakeFirst();
      if (!grant || Date.parse(grant.expiresAt) <= services.clock().getTime()) return undefined;
      const { userId: accountId, clientId, scopes, resources, createdAt, expiresAt } = grant;
      const granted = Object.fromEntries(resources.map((resource) => [resource, scopes.join(' ')]));
      const times = { iat: seconds(createdAt), exp: seconds(expiresAt) };
      return { kind: 'Grant', jti: id, accountId, clientId, resources: granted, ...times };
    },
    async consume() {},
    async destroy(id) {
      const grant = await db.deleteFrom('oauth_grant').where('id', '=', id).returning('userId').executeTakeFirst();
      forgetTokens(services, await deleteRecordsOf(db, id));
      if (!grant) return;
      const ids = { oauthGrantId: id, userId: grant.userId };
      const now = services.clock().toISOString();
      for (const event of await eventsOfAccount({ db }, { kind: 'oauth_grant_revoked', ids }))
        await recordServiceEvent(db, now, event);
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
