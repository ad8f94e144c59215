import type { z } from 'zod';
import type { Context } from '../../../../platform/context/context.ts';
import { anyOf } from '../../../../platform/database/conditions.ts';
import { batchLoader } from '../../../../platform/reads/loader.ts';
import { storedSecret } from '../../../../platform/secret-key/stored-secret.ts';
import type { gitSecret } from './enums.ts';

/** All secrets of a connection are bound to its id. */
const bound = {
  table: 'git_connection',
  key: { id: 'id' },
  place: ({ id }: { readonly id: string }) => `git_connection ${id}`,
};

/** User names and tokens of Git connections, as `user:token`. */
export const connectionCredentials = storedSecret({
  ...bound,
  column: 'credentials',
  plural: 'user names and tokens of Git connections',
  name: 'user name and token of the Git connection',
  remedy: 'Set them again with updateGitConnection, as part of the URL.',
});

/** Secrets that prove requests to hooks. */
export const hookSecret = storedSecret({
  ...bound,
  column: 'hook_secret',
  plural: 'secrets of Git hooks',
  name: 'secret of the hook of the Git connection',
  remedy: 'Replace it with rotateGitHookSecret, and set the new one in the webhook of the repository.',
});

/** Private SSH keys of connections. */
export const sshKey = storedSecret({
  ...bound,
  column: 'ssh_private_key',
  plural: 'SSH keys of Git connections',
  name: 'SSH key of the Git connection',
  remedy: 'Replace it with rotateGitSshKey, and add the new public key to the repository.',
});

type GitSecret = z.output<typeof gitSecret>;

/**
 * The secrets of connections that cannot be decrypted, by the id of the connection. Batched, without a permission
 * check.
 */
const loadUnreadable = batchLoader<GitSecret[]>('unreadable secrets of git connections', async (ctx, ids) => {
  const rows = await ctx.db
    .selectFrom('git_connection')
    .where('id', '=', anyOf(ids))
    .select(['id', 'credentials', 'hookSecret', 'sshPrivateKey'])
    .execute();
  const unreadable = (row: (typeof rows)[number]): GitSecret[] => [
    ...(connectionCredentials.isUnreadable(ctx.services, row, row.credentials) ? ['credentials' as const] : []),
    ...(hookSecret.isUnreadable(ctx.services, row, row.hookSecret) ? ['hook-secret' as const] : []),
    ...(sshKey.isUnreadable(ctx.services, row, row.sshPrivateKey) ? ['ssh-key' as const] : []),
  ];
  return new Map(rows.map((row) => [row.id, unreadable(row)]));
});

export const unreadableSecretsOf = async (ctx: Context, id: string): Promise<GitSecret[]> =>
  (await loadUnreadable(ctx, id)) ?? [];
