import type { EntityManager } from '@mikro-orm/postgresql';
import { makeToken } from '../../../platform/access/credentials.ts';
import { type Database, databaseOf } from '../../../platform/database/tables.ts';
import { OperatorError } from '../../../platform/errors/errors.ts';
import { recordServiceEvent } from '../../../platform/events/record-event.ts';
import { settingsSet } from '../../../platform/events/settings-changes.ts';
import { eventsOfAccount } from '../access/index.ts';
import { issueToken } from '../users/index.ts';
import { makeSignInLink, OPERATOR_LINK_MS } from './sign-in-links.ts';

/** Access cannot be restored as it was asked for. The message tells the operator what to do. */
class RestoreAccessError extends OperatorError {}

export interface RestoreAccess {
  /** Of the user. Without both, the only operator of the service. */
  userId?: string | undefined;
  email?: string | undefined;
  /** The user must be an operator. */
  isOperator: boolean;
  /** Makes the user an operator. */
  promotes: boolean;
  /** A link that starts a session once, or an access token. */
  credential: 'link' | { label: string; expiresAt: string | null };
  now: string;
}

interface Account {
  id: string;
  email: string | null;
  displayName: string;
  isOperator: boolean;
}

/**
 * Creates a token of an existing user, for an operator who has lost access to the service, or a link that signs the
 * user in once, within a day. Either, and the promotion of a user, are events without an actor. Returns the token, or
 * the path of the link. Neither can be read again.
 */
export function restoreAccess(
  root: EntityManager,
  request: RestoreAccess,
): Promise<{ secret: string; user: Account; wasPromoted: boolean }> {
  return root.fork().transactional(async (em) => {
    const db = databaseOf(em);
    const user = await findAccount(db, request);
    const { now, credential, promotes, isOperator } = request;
    const wasPromoted = promotes && !user.isOperator;
    if (isOperator && !user.isOperator && !promotes) {
      throw new RestoreAccessError(
        `${nameOf(user)} is not an operator. Add --promote to make this user one, or name an operator: ${await operatorsOf(db)}.`,
      );
    }
    if (wasPromoted) await promote(db, user.id, now);
    if (credential === 'link') {
      const path = await makeSignInLink(db, { userId: user.id, now: new Date(now), validMs: OPERATOR_LINK_MS });
      await recordServiceEvent(db, now, {
        kind: 'sign_in_link_created',
        organizationId: null,
        ids: { userId: user.id },
      });
      return { secret: path, user, wasPromoted };
    }
    const { label, expiresAt } = credential;
    const secret = makeToken();
    const { id } = await issueToken(db, { secret, userId: user.id, label, expiresAt, now });
    const ids = { apiTokenId: id, userId: user.id };
    const event = { kind: 'api_token_created' as const, ids, changes: settingsSet({ label, expiresAt }) };
    for (const each of await eventsOfAccount({ db }, event)) await recordServiceEvent(db, now, each);
    return { secret, user, wasPromoted };
  });
}

const ACCOUNT = ['id', 'email', 'displayName', 'isOperator'] as const;

async function findAccount(db: Database, { userId, email }: RestoreAccess): Promise<Account> {
  if (userId !== undefined) {
    const user = await db.selectFrom('user').where('id', '=', userId).select(ACCOUNT).forUpdate().executeTakeFirst();
    if (!user)
      throw new RestoreAccessError(`The user ${userId} does not exist. The operators are: ${await operatorsOf(db)}.`);
    return user;
  }
  if (email !== undefined) return userByVerifiedEmail(db, email);
  const [only, ...others] = await db
    .selectFrom('user')
    .where('isOperator', '=', true)
    .select(ACCOUNT)
    .limit(2)
    .execute();
  if (!only) {
    throw new RestoreAccessError('The service has no operator. Name a user with --email or --user, and add --promote.');
  }
  if (others.length === 0) return only;
  throw new RestoreAccessError(
    `The service has several operators. Name one with --email or --user: ${await operatorsOf(db)}.`,
  );
}

/** Unverified addresses do not identify a user. */
async function userByVerifiedEmail(db: Database, email: string): Promise<Account> {
  const user = await db
    .selectFrom('user')
    .where(({ fn, eb }) => eb(fn('lower', ['email']), '=', email.toLowerCase()))
    .select(ACCOUNT)
    .forUpdate()
    .executeTakeFirst();
  if (user) return user;
  throw new RestoreAccessError(
    `No user has the verified address ${email}. Name the user by id with --user. The operators are: ${await operatorsOf(db)}.`,
  );
}

async function promote(db: Database, id: string, now: string): Promise<void> {
  await db.updateTable('user').set({ isOperator: true, updatedAt: now }).where('id', '=', id).execute();
  const event = { kind: 'user_updated' as const, ids: { userId: id }, changes: settingsSet({ isOperator: true }) };
  for (const each of await eventsOfAccount({ db }, event)) await recordServiceEvent(db, now, each);
}

const MAX_LISTED = 20;

async function operatorsOf(db: Database): Promise<string> {
  const operators = await db
    .selectFrom('user')
    .where('isOperator', '=', true)
    .select(ACCOUNT)
    .orderBy('id')
    .limit(MAX_LISTED)
    .execute();
  return operators.map(nameOf).join(', ') || 'none';
}

const nameOf = ({ id, email, displayName }: Account) => `${displayName} (${email === null ? '' : `${email}, `}${id})`;
