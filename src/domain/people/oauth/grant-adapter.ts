import type { Payload } from 'oidc-provider';
import type { Services } from '../../../platform/context/services.ts';
import { recordServiceEvent } from '../../../platform/events/record-event.ts';
import { eventsOfAccount } from '../access/index.ts';
import { organizationsOfGrant } from './end-grant.ts';
import { deleteRecordsOf, forgetTokens } from './load-grants.ts';
import { secondsOf } from './stored-record.ts';
import { UnstoredAdapter } from './unstored-adapter.ts';

/** Grants, which are rows of their own. `grantAccess` writes them. Deleting one ends its tokens. */
export class GrantAdapter extends UnstoredAdapter {
  readonly #services: Services;

  constructor(services: Services) {
    super();
    this.#services = services;
  }

  override async find(id: string): Promise<Payload | undefined> {
    const { db } = this.#services;
    const grant = await db
      .selectFrom('oauth_grant as g')
      .leftJoin('saml_provider as sp', 'sp.id', 'g.samlProviderId')
      .where('g.id', '=', id)
      // A grant of an SSO session ends with the identity provider.
      .where((row) => row.or([row('g.samlProviderId', 'is', null), row('sp.id', 'is not', null)]))
      .selectAll('g')
      .executeTakeFirst();
    if (!grant || Date.parse(grant.expiresAt) <= this.#services.clock().getTime()) return undefined;
    const { userId: accountId, clientId, scopes, resources, createdAt, expiresAt } = grant;
    const granted = Object.fromEntries(resources.map((resource) => [resource, scopes.join(' ')]));
    const times = { iat: secondsOf(createdAt), exp: secondsOf(expiresAt) };
    return { kind: 'Grant', jti: id, accountId, clientId, resources: granted, ...times };
  }

  override async destroy(id: string): Promise<void> {
    // Not `transact`: the library calls this without the context of a request.
    const hashes = await this.#services.db.transaction().execute(async (transaction) => {
      const grant = await transaction
        .deleteFrom('oauth_grant')
        .where('id', '=', id)
        .returning(['userId', 'organizationIds', 'samlProviderId'])
        .executeTakeFirst();
      const deleted = await deleteRecordsOf(transaction, [id]);
      if (!grant) return deleted;
      const ids = { oauthGrantId: id, userId: grant.userId };
      const now = this.#services.clock().toISOString();
      const revoked = { kind: 'oauth_grant_revoked' as const, ids };
      for (const event of await eventsOfAccount({ db: transaction }, revoked, organizationsOfGrant(grant)))
        await recordServiceEvent(transaction, now, event);
      return deleted;
    });
    forgetTokens(this.#services, hashes);
    this.#services.eventSignal.raise();
  }
}
