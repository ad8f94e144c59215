import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { makeToken } from '../../../platform/access/authenticate.ts';
import type { Services } from '../../../platform/context.ts';
import { type Database, databaseOf } from '../../../platform/database/tables.ts';
import { newId } from '../../../platform/ids.ts';
import { issueToken } from '../users/index.ts';
import { foundOrganization } from './found-organization.ts';

/** Key of the advisory lock under which the first user is made, any constant number that nothing else uses. */
const BOOTSTRAP_LOCK = 7_305_110_043;

/** What the first start has made; the token is shown to whoever started the service, once. */
export interface Bootstrapped {
  organizationId: string;
  userId: string;
  token: string;
}

/**
 * Makes the first organization, its administrator, who is an operator of the service, and their token: the given one or
 * a new one. Does nothing where there is a user. Of several processes that start at once, one does it. `fill` puts first
 * content there in the same transaction, so that a crash leaves all of it or nothing.
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
    fill?: ((em: EntityManager, made: Bootstrapped) => Promise<void>) | undefined;
  } = {},
): Promise<Bootstrapped | undefined> {
  return root.fork().transactional(async (em) => {
    const db = databaseOf(em);
    await sql`select pg_advisory_xact_lock(${sql.lit(BOOTSTRAP_LOCK)})`.execute(db);
    const known = await db.selectFrom('user').select('id').limit(1).executeTakeFirst();
    if (known) return undefined;
    const now = clock().toISOString();
    const userId = await insertAdministrator(db, email, now);
    const organizationId = await foundOrganization(db, { title: 'Acme', emailDomains: [], adminId: userId, now });
    const secret = token ?? makeToken();
    await issueToken(db, { secret, userId, label: 'First start', now });
    const made = { organizationId, userId, token: secret };
    await fill?.(em, made);
    return made;
  });
}

async function insertAdministrator(db: Database, email: string, now: string): Promise<string> {
  const id = newId('user');
  const account = { email, isEmailVerified: true, displayName: 'Administrator', isOperator: true };
  await db
    .insertInto('user')
    .values({ id, ...account, createdAt: now, updatedAt: now })
    .execute();
  return id;
}
