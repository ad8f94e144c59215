import type { Context } from '../../../../platform/context/context.ts';
import type { GitConnectionRow } from './access.ts';
import { connectionCredentials } from './connection-secrets.ts';

type Addressed = Pick<GitConnectionRow, 'id' | 'repositoryUrl' | 'apiUrl'>;

/**
 * The credentials of a connection as `user:token`, for the addresses that the row has. Undefined if it has none, or if
 * its addresses have changed since the row was read. Throws `UnreadableSecret`.
 */
export async function credentialsOf(
  { db, services }: Context,
  { id, repositoryUrl, apiUrl }: Addressed,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('git_connection')
    .where('id', '=', id)
    .where('repositoryUrl', '=', repositoryUrl)
    .where('apiUrl', 'is not distinct from', apiUrl)
    .select('credentials')
    .executeTakeFirst();
  if (!row?.credentials) return undefined;
  return connectionCredentials.read(services, { id }, row.credentials);
}

/** The token of a connection, for the API of its provider: the password, or the user name if there is none. */
export async function tokenOf(ctx: Context, row: Addressed): Promise<string | undefined> {
  const credentials = await credentialsOf(ctx, row);
  if (credentials === undefined) return undefined;
  const at = credentials.indexOf(':');
  return credentials.slice(at + 1) || credentials.slice(0, at) || undefined;
}
