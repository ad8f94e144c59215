import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { makeToken } from '../../../platform/access/credentials.ts';
import type { Services } from '../../../platform/context/services.ts';
import { type Database, databaseOf } from '../../../platform/database/tables.ts';
import { newId } from '../../../platform/ids/ids.ts';
import { issueToken } from '../users/index.ts';
import { insertOrganization } from './insert-organization.ts';

/** Key of the advisory lock that guards the creation of the first user. Any number that nothing else uses. */
const BOOTSTRAP_LOCK = 7_305_110_043;

/** Result of the first start. The token is shown only once. */
export interface Bootstrapped {
  organizationId: string;
  userId: string;
  token: string;
}

/**
 * Creates the first organization, its administrator (who is also an operator of the service) and an API token: the
 * given one or a new one. Does nothing if there are users. Safe to call from several processes at once. `fill` adds
 * content in the same transaction.
 */
export async function bootstrap(
  { em: root, clock }: Services,
  {
    token,
    email = 'admin@stemma.localhost',
    fill,
  }: {
    token?: string | undefined;
    email?: string | undefined;
    fill?: ((em: EntityManager, result: Bootstrapped) => Promise<void>) | undefined;
  } = {},
): Promise<Bootstrapped | undefined> {
  return root.fork().transactional(async (em) => {
    const db = databaseOf(em);
    await sql`select pg_advisory_xact_lock(${sql.lit(BOOTSTRAP_LOCK)})`.execute(db);
    const existingUser = await db.selectFrom('user').select('id').limit(1).executeTakeFirst();
    if (existingUser) return undefined;
    const now = clock().toISOString();
    const userId = await insertAdministrator(db, email, now);
    const organizationId = await insertOrganization(db, { title: 'Acme', emailDomains: [], adminId: userId, now });
    const secret = token ?? makeToken();
    await issueToken(db, { secret, userId, label: 'First start', now });
    const result = { organizationId, userId, token: secret };
    await fill?.(em, result);
    return result;
  });
}

async function insertAdministrator(db: Database, email: string, now: string): Promise<string> {
  const id = newId('user');
  const account = { email, displayName: 'Administrator', isOperator: true };
  await db
    .insertInto('user')
    .values({ id, ...account, createdAt: now, updatedAt: now })
    .execute();
  return id;
}
