import { sql } from 'kysely';
import { hashOf } from '../../lib/canonical.ts';
import { DAY_MS } from '../../lib/durations.ts';
import { type Actor, actingIdOf } from '../access/actor.ts';
import type { Context } from '../context/context.ts';
import type { Database } from '../database/tables.ts';
import { conflict } from '../errors/errors.ts';
import { deleteInBatches } from '../jobs/delete-in-batches.ts';
import type { KeyedOutcome } from './outcome.ts';

/** Lifetime of a key, by the clock of the service. */
const KEY_LIFE_MS = DAY_MS;

/** A command and its input that a caller sends with a key. */
export interface Claim {
  /** Whose key it is: a user, an application that a user has connected (by its grant), or an integration. */
  readonly actorId: string;
  readonly operation: string;
  readonly key: string;
  readonly inputHash: Buffer;
  readonly now: string;
  /** Keys that were created until this time have expired. */
  readonly endedUntil: string;
}

/** Undefined without a key, and for callers without an id, who cannot be distinguished. */
export function claimOf(
  ctx: Context,
  operation: string,
  key: string | null | undefined,
  input: unknown,
): Claim | undefined {
  const actorId = ownerOfKeys(ctx.actor);
  if (key == null || actorId === undefined) return undefined;
  const now = ctx.services.clock();
  return {
    actorId,
    operation,
    key,
    inputHash: Buffer.from(hashOf(input), 'hex'),
    now: now.toISOString(),
    endedUntil: endedUntil(now),
  };
}

/** An application has keys of its own: those of the user lead to results that it may not see. */
const ownerOfKeys = (actor: Actor) =>
  (actor.kind === 'user' ? actor.application?.grantId : undefined) ?? actingIdOf(actor);

/**
 * Claims the key at the start of the transaction. Returns undefined if the command must run, otherwise its earlier
 * outcome. A concurrent request with the same key waits for the first transaction to end, and claims the key if that
 * rolled back.
 */
export async function claimKey(db: Database, claim: Claim): Promise<KeyedOutcome | undefined> {
  for (let count = 1; count <= MAX_ATTEMPTS; count++) {
    if (await insertKey(db, claim)) return undefined;
    const outcome = await findOutcome(db, claim);
    if (outcome) return outcome;
    // It has expired, and was deleted in between.
  }
  throw conflict('Another request with the same idempotency key is running. Try again.');
}

const MAX_ATTEMPTS = 3;

async function insertKey(db: Database, { actorId, operation, key, inputHash, now, endedUntil: ended }: Claim) {
  return db
    .insertInto('idempotency_key')
    .values({ actorId, operation, key, inputHash, createdAt: now })
    .onConflict((existing) =>
      existing
        .columns(['actorId', 'operation', 'key'])
        .doUpdateSet({ inputHash, outcome: null, createdAt: now })
        .where('idempotency_key.createdAt', '<=', ended),
    )
    .returning('key')
    .executeTakeFirst();
}

/**
 * The outcome of the command if it has run. CONFLICT if the key was used with another input. Locks the row, since
 * PostgreSQL then waits for its synchronous standbys: otherwise, a repetition could confirm a change that a failover
 * loses.
 */
export async function findOutcome(db: Database, claim: Claim): Promise<KeyedOutcome | undefined> {
  const row = await ofClaim(db, claim)
    .where('createdAt', '>', claim.endedUntil)
    .select(['inputHash', 'outcome'])
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!row) return undefined;
  if (!claim.inputHash.equals(row.inputHash)) {
    throw conflict(
      `The idempotency key ${JSON.stringify(claim.key)} was used for "${claim.operation}" with another input within the last 24 hours. Use a new key.`,
    );
  }
  return { stored: row.outcome };
}

/**
 * Stores the outcome of the command in its transaction. `outcome` is JSON. Throws if the key that `claimKey` has
 * inserted is not there: then the command has not run in one transaction with it, and must be rolled back.
 */
export async function recordOutcome(db: Database, claim: Claim, outcome: string): Promise<void> {
  const { actorId, operation, key } = claim;
  const { numUpdatedRows } = await db
    .updateTable('idempotency_key')
    .set({ outcome })
    .where('actorId', '=', actorId)
    .where('operation', '=', operation)
    .where('key', '=', key)
    .where('outcome', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) throw new Error(`The command ${operation} has lost its idempotency key.`);
}

/**
 * Deletes expired keys, in batches. Only limits the size of the table, since expired keys can be claimed again anyway.
 */
export const removeEndedKeys = (db: Database, now: Date, signal: AbortSignal): Promise<void> =>
  deleteInBatches(signal, async (limit) => {
    const isEnded = sql`created_at <= ${endedUntil(now)}::timestamptz`;
    // The condition is repeated, since a key that is claimed again meanwhile stays.
    const { numAffectedRows } = await sql`
      delete from idempotency_key where ${isEnded} and ctid in (
        select ctid from idempotency_key where ${isEnded} limit ${sql.lit(limit)})`.execute(db);
    return Number(numAffectedRows);
  });

const endedUntil = (now: Date) => new Date(now.getTime() - KEY_LIFE_MS).toISOString();

const ofClaim = (db: Database, { actorId, operation, key }: Claim) =>
  db
    .selectFrom('idempotency_key')
    .where('actorId', '=', actorId)
    .where('operation', '=', operation)
    .where('key', '=', key);
