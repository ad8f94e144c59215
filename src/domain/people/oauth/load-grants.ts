import { forgetToken } from '../../../platform/access/authenticate.ts';
import type { Services } from '../../../platform/context/services.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import type { Database, Row } from '../../../platform/database/tables.ts';

/** A grant without what only the authorization server needs. */
export type OAuthGrantRow = Omit<Row<'oauth_grant'>, 'resources'>;

export const OAUTH_GRANT_COLUMNS = [
  'id',
  'userId',
  'clientId',
  'clientName',
  'redirectTo',
  'scopes',
  'organizationIds',
  'spaceIds',
  'samlProviderId',
  'createdAt',
  'lastUsedAt',
  'expiresAt',
] as const;

/** Deletes what belongs to grants, and returns the hashes of their access tokens. */
export async function deleteRecordsOf(db: Database, grantIds: readonly string[]): Promise<Buffer[]> {
  const deleted = await db
    .deleteFrom('oauth_record')
    .where('grantId', '=', anyOf([...grantIds]))
    .returning(['type', 'idHash'])
    .execute();
  return deleted.flatMap(({ type, idHash }) => (type === 'AccessToken' ? [Buffer.from(idHash, 'hex')] : []));
}

/** Makes this process reject access tokens at once. Others do so within five seconds. */
export const forgetTokens = (services: Services, hashes: readonly Buffer[]): void => {
  for (const hash of hashes) forgetToken(services, hash);
};
