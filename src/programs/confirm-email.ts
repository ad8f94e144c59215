import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { createApp } from '../app.ts';
import { databaseBeside, requireOwnVersion } from '../beside-service.ts';
import { type Config, ConfigError } from '../config.ts';
import { forgetInstanceIdentities } from '../domain/people/sso/oidc/forget-instance-identities.ts';
import { confirmEmail } from '../domain/people/users/confirm-user-email.ts';
import { tableNames } from '../entities.ts';
import { makeLog } from '../make-log.ts';
import type { Context } from '../platform/context/context.ts';
import { apiErrorOfConstraint } from '../platform/database/constraints.ts';
import { explainingFaults } from '../platform/database/database-faults.ts';
import type { Database } from '../platform/database/tables.ts';
import { ApiError } from '../platform/errors/errors.ts';
import { jobContext } from '../platform/jobs/job.ts';
import { transact } from '../platform/operation/transact.ts';
import { runCommand } from '../run-command.ts';
import type { RegisterClose } from '../run-process.ts';
import { requireKeys } from '../secret-keys.ts';

const USAGE = 'Usage: npm run confirm-email -- --user user_… | --email ADDRESS [--relink]';

/**
 * `npm run confirm-email`: confirms the email address that a user has set, whether or not the service is running. With
 * `--relink`, it confirms that a verified address is still of the same person, whose `sub` has changed at the provider
 * of the service.
 */
async function confirm(config: Config, opened: RegisterClose): Promise<boolean> {
  const request = wantedClaim();
  const databaseUrl = await databaseBeside(config, opened);
  await explainingFaults(databaseUrl, tableNames, () => requireOwnVersion(databaseUrl));
  const { current: secretKey } = await requireKeys(config);
  const withoutWork = { ...config, workers: false };
  const app = await createApp({ config: withoutWork, databaseUrl, secretKey, log: makeLog('error'), isMigrated: true });
  opened(() => app.close());
  const ctx = jobContext(app.services, 'confirm-email');
  return request.relink ? relink(ctx, request) : confirmClaim(ctx, request);
}

async function confirmClaim(ctx: Context, request: Wanted): Promise<boolean> {
  const claims = await claimsOf(ctx.db, request);
  const [claim, other] = claims;
  if (!claim) return fail('No user has set this address, or it is already verified.');
  if (other) {
    const users = claims.map(({ id, displayName }) => `  ${id}  ${displayName}`).join('\n');
    return fail(`Several users have set this address. Name its owner with --user:\n${users}`);
  }
  try {
    await transact(ctx, (inside) => confirmEmail(inside, claim.id, claim.email));
  } catch (error) {
    const apiError = apiErrorOfConstraint(error) ?? error;
    if (apiError instanceof ApiError) return fail(apiError.message);
    throw error;
  }
  process.stdout.write(`Confirmed ${claim.email} as the address of ${claim.displayName} (${claim.id}).\n`);
  return true;
}

async function relink(ctx: Context, request: Wanted): Promise<boolean> {
  const { oidc } = ctx.services.config;
  if (oidc === null) return fail('The service has no provider: OIDC_ISSUER is not set.');
  const account = await verifiedAccount(ctx.db, request);
  if (!account) return fail('No user has this verified address. Sign-ins find an account only by such an address.');
  const name = `${account.displayName} (${account.id})`;
  const count = await transact(ctx, (inside) => forgetInstanceIdentities(inside, account.id, oidc.issuer));
  if (count === 0) return fail(`${name} has never signed in with the provider of the service.`);
  process.stdout.write(
    `The next sign-in with ${account.email} at the provider of the service is linked to ${name}. Earlier sessions of it have ended.\n`,
  );
  return true;
}

interface Wanted {
  user?: string | undefined;
  email?: string | undefined;
  relink?: boolean | undefined;
}

function wantedClaim(): Wanted {
  try {
    const { values } = parseArgs({
      options: { user: { type: 'string' }, email: { type: 'string' }, relink: { type: 'boolean' } },
    });
    if (values.user !== undefined || values.email !== undefined) return values;
  } catch (error) {
    throw new ConfigError(`${error instanceof Error ? error.message : ''}\n${USAGE}`);
  }
  throw new ConfigError(USAGE);
}

interface Claim {
  id: string;
  displayName: string;
  email: string;
}

/** The users who have set the address, up to ten. */
const claimsOf = (db: Database, { user, email }: Wanted): Promise<Claim[]> =>
  db
    .selectFrom('user')
    .where('unverifiedEmail', 'is not', null)
    .$if(user !== undefined, (users) => users.where('id', '=', user ?? ''))
    .$if(email !== undefined, (users) => users.where(sql`lower(unverified_email)`, '=', (email ?? '').toLowerCase()))
    .orderBy('id')
    .limit(10)
    .select(['id', 'displayName', sql<string>`unverified_email`.as('email')])
    .execute();

/** The user with a verified address, if it is the one that is given. */
const verifiedAccount = (db: Database, { user, email }: Wanted): Promise<Claim | undefined> =>
  db
    .selectFrom('user')
    .where('email', 'is not', null)
    .$if(user !== undefined, (users) => users.where('id', '=', user ?? ''))
    .$if(email !== undefined, (users) => users.where(sql`lower(email)`, '=', (email ?? '').toLowerCase()))
    .select(['id', 'displayName', sql<string>`email`.as('email')])
    .executeTakeFirst();

function fail(message: string): false {
  process.stderr.write(`${message}\n`);
  return false;
}

await runCommand(confirm);
