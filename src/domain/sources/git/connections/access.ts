import { sql } from 'kysely';
import type { Role } from '../../../../platform/access/roles.ts';
import { atLeast } from '../../../../platform/access/roles.ts';
import type { Context } from '../../../../platform/context/context.ts';
import type { EntityRow } from '../../../../platform/database/entity-from-row.ts';
import { lockEntity } from '../../../../platform/database/lock-entity.ts';
import type { Row } from '../../../../platform/database/tables.ts';
import { notFound } from '../../../../platform/errors/errors.ts';
import { entityLoader } from '../../../../platform/reads/entity-loader.ts';
import { batchLoader } from '../../../../platform/reads/loader.ts';
import { permissions, rowsInSpaces } from '../../../people/access/index.ts';
import { loadSpaceWithRole, spaceFor } from '../../../places/spaces/index.ts';
import { GitConnection } from './entity.ts';

/** A connection without its secrets. */
export type GitConnectionRow = Omit<Row<'git_connection'>, 'credentials' | 'hookSecret' | 'sshPrivateKey'> & {
  hasCredentials: boolean;
};

const NAMES = [
  'id',
  'organizationId',
  'spaceId',
  'provider',
  'repositoryUrl',
  'sshPublicKey',
  'sshHostKeys',
  'ref',
  'projectDirectory',
  'treeUrl',
  'commitUrl',
  'apiUrl',
  'commitMessage',
  'initialSide',
  'importsPullRequests',
  'state',
  'stateDetail',
  'stateSince',
  'isPaused',
  'syncedRevisionId',
  'proposalRef',
  'pullRequestUrl',
  'keptRevisionId',
  'keptCommitOid',
  'failureStreak',
  'wantedAt',
  'polledAt',
  'hookSeenAt',
  'userId',
  'samlProviderId',
  'createdAt',
  'updatedAt',
] as const satisfies (keyof GitConnectionRow)[];

const COLUMNS = sql`${sql.join(NAMES.map((name) => sql.ref(`gc.${name}`)))}, gc.credentials is not null as has_credentials`;

const needed = permissions.getGitConnection.space;

/** Loads the connection of a space for a caller with at least `role` on the space. NOT_FOUND if there is none. */
export async function gitConnectionFor(
  ctx: Context,
  spaceId: string,
  role: Role,
  options: Parameters<typeof spaceFor>[3] = {},
): Promise<GitConnectionRow> {
  await spaceFor(ctx, spaceId, role, options);
  const connection = await connectionOf(ctx, spaceId);
  if (!connection) throw notFound('Git connection of the space', spaceId);
  return connection;
}

/** Returns the connection as a locked entity with its secrets, for commands that change it. Locks the space too. */
export async function gitConnectionForChange(
  ctx: Context,
  spaceId: string,
  role: Role,
): Promise<EntityRow<typeof GitConnection>> {
  await spaceFor(ctx, spaceId, role, { lock: 'for no key update' });
  const connection = await lockEntity(ctx, GitConnection, { spaceId });
  if (!connection) throw notFound('Git connection of the space', spaceId);
  return connection;
}

/** The connection of a space, without a permission check. */
export async function connectionOf({ db }: Context, spaceId: string): Promise<GitConnectionRow | undefined> {
  const { rows } = await sql<GitConnectionRow>`
    select ${COLUMNS} from git_connection gc where gc.space_id = ${spaceId}`.execute(db);
  return rows[0];
}

/** A connection by id, without a permission check. */
export async function connectionById({ db }: Context, id: string): Promise<GitConnectionRow | undefined> {
  const { rows } = await sql<GitConnectionRow>`
    select ${COLUMNS} from git_connection gc where gc.id = ${id}`.execute(db);
  return rows[0];
}

/** Connections by id, batched. Those that the caller may not see are left out. */
export const loadGitConnection = entityLoader<GitConnectionRow>(GitConnection, {
  fields: [...NAMES, 'hasCredentials'],
  isShown: async (ctx, { spaceId }) => (await loadSpaceWithRole(ctx, spaceId, needed)) !== undefined,
});

/** The connections of spaces, batched, for callers who may see them. */
export const loadConnectionOfSpace = batchLoader<GitConnectionRow>(
  'git connection of a space',
  async (ctx, spaceIds) => {
    const where = sql`gc.space_id = any(${spaceIds}::text[])`;
    const rows = await rowsInSpaces<GitConnectionRow>(ctx, {
      select: COLUMNS,
      from: sql`git_connection gc`,
      row: 'gc',
      where,
    });
    return new Map(rows.filter(({ role }) => atLeast(role, needed)).map((row) => [row.spaceId, row]));
  },
);
