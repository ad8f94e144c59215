import type { Context } from '../../../../platform/context.ts';
import { connectionCredentials } from './connection-secrets.ts';

/** The credentials of a connection as `user:token`. Undefined if it has none. Throws `UnreadableSecret`. */
export async function credentialsOf({ db, services }: Context, id: string): Promise<string | undefined> {
  const found = await db.selectFrom('git_connection').where('id', '=', id).select('credentials').executeTakeFirst();
  if (!found?.credentials) return undefined;
  return connectionCredentials.read(services, { id }, found.credentials);
}

/** The token of a connection, for the API of its provider: the password, or the user name if there is none. */
export async function tokenOf(ctx: Context, id: string): Promise<string | undefined> {
  const credentials = await credentialsOf(ctx, id);
  if (credentials === undefined) return undefined;
  const at = credentials.indexOf(':');
  return credentials.slice(at + 1) || credentials.slice(0, at) || undefined;
}
