import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import pino from 'pino';
import { type App, createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { accessLoader } from '../../src/domain/people/access/index.ts';
import type { Context } from '../../src/platform/context/context.ts';
import { accessOutsideTransactions } from '../../src/platform/context/database-access.ts';
import { openDataDir } from '../../src/platform/data-dir/open-data-dir.ts';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded/start-embedded-postgres.ts';
import type { Database } from '../../src/platform/database/tables.ts';
import { newId } from '../../src/platform/ids/ids.ts';
import { SECRET_KEY } from './database.ts';

/**
 * How long the permissions of one member on 10,000 spaces take, and how much CPU this process needs for them: `node
 * test/bench/permissions.ts`. First in a process that has just started, with nothing cached, then as later requests
 * find it, and for another member, of whom nothing is cached, in a process that is warm.
 */
const SPACES = 10_000;
const COLLECTIONS = 500;
const TEAMS = 20;
const ROUNDS = 10;

const ids = (prefix: 'space' | 'collection' | 'team', count: number) =>
  Array.from({ length: count }, () => newId(prefix));

/** An organization of nested collections with grants to a member and to teams of the member. */
async function fill(db: Database): Promise<{ userIds: [string, string]; spaceIds: string[] }> {
  const organizationId = newId('org');
  const userIds: [string, string] = [newId('user'), newId('user')];
  const [spaceIds, collectionIds, teamIds] = [ids('space', SPACES), ids('collection', COLLECTIONS), ids('team', TEAMS)];
  const mergeRules = { type: 'rules' as const, rules: [] };
  await db.insertInto('organization').values({ id: organizationId, title: 'Large', mergeRules }).execute();
  const memberships = userIds.map((userId) => ({ id: newId('member'), organizationId, userId, role: 'read' as const }));
  await db.insertInto('membership').values(memberships).execute();
  await sql`insert into collection (id, organization_id, title, default_level)
    select id, ${organizationId}, 'Collection', case when n % 5 = 0 then 'none'::role end
    from unnest(${collectionIds}::text[]) with ordinality as c(id, n)`.execute(db);
  await sql`insert into space (id, organization_id, title, merge_rules, revision_id, default_level)
    select id, ${organizationId}, 'Space', '{"type":"inherit"}', id, case when n % 20 = 0 then 'edit'::role end
    from unnest(${spaceIds}::text[]) with ordinality as s(id, n)`.execute(db);
  await sql`insert into placement (item_id, organization_id, parent_id, rank)
    select id, ${organizationId}, coalesce((${collectionIds}::text[])[n / 5], ${organizationId}), 'c' || n
    from unnest(${collectionIds}::text[]) with ordinality as c(id, n)
    union all
    select id, ${organizationId}, (${collectionIds}::text[])[1 + n % ${sql.lit(COLLECTIONS)}], 's' || n
    from unnest(${spaceIds}::text[]) with ordinality as s(id, n)`.execute(db);
  await sql`insert into team_member (team_id, user_id, organization_id)
    select t.id, u.id, ${organizationId} from unnest(${teamIds}::text[]) as t(id), unnest(${userIds}::text[]) as u(id)`.execute(
    db,
  );
  await sql`insert into "grant" (target_id, grantee_id, organization_id, role)
    select distinct s.id, case when n % 2 = 0 then u.id else (${teamIds}::text[])[1 + n % ${sql.lit(TEAMS)}] end, ${organizationId}, 'review'::role
    from unnest(${spaceIds}::text[]) with ordinality as s(id, n), unnest(${userIds}::text[]) as u(id)
    where n % 4 = 1 or n % 8 = 0`.execute(db);
  await sql`analyze`.execute(db);
  return { userIds, spaceIds };
}

/** A context as a request has it. */
const contextOf = ({ services }: App, userId: string): Context => ({
  ...accessOutsideTransactions(services),
  actor: { kind: 'user', userId, isOperator: false, by: 'token' },
  services,
  requestId: 'bench',
  log: services.log,
  inTransaction: false,
});

interface Measured {
  milliseconds: number;
  cpu: number;
  readable: number;
}

async function measure(app: App, userId: string, spaceIds: string[]): Promise<Measured> {
  const ctx = contextOf(app, userId);
  const [start, before] = [performance.now(), process.cpuUsage()];
  const found = await Promise.all(spaceIds.map((id) => accessLoader.space(ctx, id)));
  const milliseconds = performance.now() - start;
  const { user, system } = process.cpuUsage(before);
  return {
    milliseconds,
    cpu: (user + system) / 1_000,
    readable: found.filter((access) => access?.role && access.role !== 'none').length,
  };
}

const path = await mkdtemp(join(tmpdir(), 'stemma-permissions-'));
const dataDir = await openDataDir(path);
const server = await startEmbeddedPostgres({ dataDir, log: console.error });
try {
  const config = readConfig({ PORT: '0', WORKERS: '0', DATA_DIR: path });
  const app = await createApp({
    config,
    databaseUrl: server.url,
    secretKey: SECRET_KEY,
    log: pino({ level: 'error' }),
  });
  const { userIds, spaceIds } = await fill(app.services.db);
  const [userId, otherId] = userIds;
  const first = await measure(app, userId, spaceIds);
  const later: Measured[] = [];
  for (let round = 0; round < ROUNDS; round++) later.push(await measure(app, userId, spaceIds));
  const other = await measure(app, otherId, spaceIds);
  const median = (of: 'milliseconds' | 'cpu') =>
    later.map((each) => each[of]).sort((one, other) => one - other)[ROUNDS / 2];
  console.log(`${SPACES} spaces, ${first.readable} of them readable`);
  console.log(`first ${first.milliseconds.toFixed(0)} ms (CPU ${first.cpu.toFixed(0)} ms)`);
  console.log(
    `then ${median('milliseconds')?.toFixed(0)} ms (CPU ${median('cpu')?.toFixed(0)} ms), medians of ${ROUNDS}`,
  );
  console.log(`another member ${other.milliseconds.toFixed(0)} ms (CPU ${other.cpu.toFixed(0)} ms)`);
  await app.close();
} finally {
  await server.stop();
  dataDir.close();
  await rm(path, { recursive: true, force: true });
}
