import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino, { type Logger } from 'pino';
import { afterAll } from 'vitest';
import { type App, type AppOptions, createApp } from '../src/app.ts';
import { hashToken } from '../src/platform/access/credentials.ts';
import type { Role } from '../src/platform/access/roles.ts';
import { newId } from '../src/platform/ids/ids.ts';
import { Client } from './client.ts';
import { closeAtEndOfFile } from './closings.ts';
import { makeDatabase, type TestDatabase } from './database.ts';
import { comparedWithReference } from './executors.ts';
import { configOf } from './settings.ts';
import { settled } from './settled.ts';

/** An event as REST returns it. */
export interface EventBody {
  id: string;
  type: string;
  actor: string;
  ids: Record<string, string>;
}

/**
 * A running service with one organization, a member of each role, a guest, and an admin of another organization.
 * Users are inserted as rows, so that tests do not depend on sign-up; everything else goes through the public API.
 */
export interface World {
  app: App;
  url: string;
  /** For what only the database can tell, or do. */
  databaseUrl: string;
  organizationId: string;
  /** The organization of `outsider`. */
  otherOrganizationId: string;
  /** Admin of the organization, and an operator of the service. */
  admin: Client;
  creator: Client;
  reviewer: Client;
  editor: Client;
  commenter: Client;
  reader: Client;
  /** A member without a role: sees only what is granted. */
  guest: Client;
  /** Admin of the other organization; no member of this one. */
  outsider: Client;
  /** No token. */
  anonymous: Client;
  /**
   * The last thousand events of the organization, by a query such as `kind=space_moved`. Waits until everything that
   * has committed can be read.
   */
  eventsBy(query?: string): Promise<EventBody[]>;
  /** Moves the service's clock, in milliseconds. */
  advance(milliseconds: number): void;
  /** Gives a role on a space, collection or site to a user or team. */
  grant(targetId: string, granteeId: string, role: Role): Promise<void>;
}

interface WorldOptions extends Pick<AppOptions, 'dns'> {
  /** Default: to the standard output, at the configured level. */
  log?: Logger;
  /** An empty database, which is dropped in the end. Default: a copy of the migrated template. */
  database?: TestDatabase;
}

/** A service with these settings for the tests of a file; stopped after them, wherever this is called. */
export async function world(
  environment: Record<string, string> = {},
  { log, database: given, dns }: WorldOptions = {},
): Promise<World> {
  const database = given ?? (await makeDatabase());
  const dataDir = await mkdtemp(join(tmpdir(), 'stemma-world-'));
  const config = configOf({
    SERVER_TIMING: '1',
    WORKERS: '0',
    // Imports end within their requests on slow machines too.
    IMPORT_WAIT_MS: '300000',
    DATA_DIR: dataDir,
    ...environment,
  });
  let offset = 0;
  const app = await createApp({
    config,
    databaseUrl: database.url,
    secretKey: 'a key of tests that is long enough',
    log: log ?? pino({ level: config.logLevel }),
    clock: () => new Date(Date.now() + offset),
    // Databases of tests are copies of a migrated template.
    isMigrated: given === undefined,
    // The server of the run is reached directly, unless through the pooler of the run, which the service finds.
    ...(given === undefined && database.directUrl === undefined && { sharesSessions: false }),
    // What the executors do does not depend on the version of PostgreSQL.
    ...(process.env.TEST_POSTGRES === undefined && { aroundGraphQL: comparedWithReference }),
    compileFrom: 1,
    ...(dns && { dns }),
  });
  const close = closeAtEndOfFile(async () => {
    await app.close();
    empty(app);
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  });
  // Vitest runs these hooks in reverse order: the service ends before what the file started earlier, such as a proxy of
  // the database.
  afterAll(close);
  const url = `http://127.0.0.1:${await app.listen()}`;
  apps.set(url, app);
  closeAtEndOfFile(() => apps.delete(url));

  const { organizationId, members } = await organization(app, url, 'Acme', {
    admin: 'admin',
    creator: 'create',
    reviewer: 'review',
    editor: 'edit',
    commenter: 'comment',
    reader: 'read',
    guest: null,
  });
  const other = await organization(app, url, 'Globex', { outsider: 'admin' });
  const { admin } = members;
  await app.services.db.updateTable('user').set({ isOperator: true }).where('id', '=', admin.userId).execute();
  return {
    app,
    url,
    databaseUrl: database.directUrl ?? database.url,
    organizationId,
    otherOrganizationId: other.organizationId,
    ...members,
    ...other.members,
    anonymous: new Client(url),
    eventsBy: async (query = '') => {
      await settled(app.services.db);
      return (await admin.get(`/v1/orgs/${organizationId}/events?limit=1000&${query}`)).body.items;
    },
    advance: (milliseconds) => {
      offset += milliseconds;
    },
    grant: async (targetId, granteeId, role) => {
      const values = { targetId, granteeId, organizationId, role };
      await app.services.db
        .insertInto('grant')
        .values(values)
        .onConflict((conflict) => conflict.columns(['targetId', 'granteeId']).doUpdateSet({ role }))
        .execute();
    },
  };
}

/**
 * Empties a service that is closed. Modules of tests are never unloaded, and what their constants name stays in memory
 * until the end of the run: with its caches, each service would keep 6 MB, and collecting garbage would take longer
 * with each file.
 */
function empty(app: Partial<App>): void {
  for (const object of [app.services ?? {}, app]) {
    for (const name of Object.keys(object)) Reflect.deleteProperty(object, name);
  }
}

const apps = new Map<string, App>();

/** The service at an address, for what only its process can do, such as running a job. */
export function appAt(url: string): App {
  const app = apps.get(url);
  if (!app) throw new Error(`There is no service at ${url}.`);
  return app;
}

/** Makes an organization with a member for each name and role, and returns the members' clients by name. */
async function organization<Name extends string>(
  { services: { db } }: App,
  url: string,
  title: string,
  roles: Record<Name, Role | null>,
): Promise<{ organizationId: string; members: Record<Name, Client> }> {
  const organizationId = newId('org');
  const mergeRules = { type: 'rules' as const, rules: [] };
  await db.insertInto('organization').values({ id: organizationId, title, mergeRules }).execute();
  const people = Object.entries<Role | null>(roles).map(([name, role]) => {
    const userId = newId('user');
    return { name, role, userId, token: `stemma_${userId}` };
  });
  const users = people.map(({ name, userId }) => ({
    id: userId,
    email: `${name}@${title.toLowerCase()}.example`,
    displayName: `${name[0]?.toUpperCase()}${name.slice(1)}`,
  }));
  await db.insertInto('user').values(users).execute();
  const tokens = people.map(({ userId, token }) => ({
    id: newId('token'),
    userId,
    label: 'test',
    secretHash: hashToken(token),
  }));
  await db.insertInto('api_token').values(tokens).execute();
  const memberships = people.map(({ userId, role }) => ({ id: newId('member'), organizationId, userId, role }));
  await db.insertInto('membership').values(memberships).execute();
  const clients = people.map(({ name, userId, token }) => [name, new Client(url, token, userId)]);
  return { organizationId, members: Object.fromEntries(clients) as Record<Name, Client> }; // one for each of `roles`
}
