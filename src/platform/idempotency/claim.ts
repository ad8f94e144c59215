import { hashOf } from '../../lib/canonical.ts';
import { actingIdOf } from '../access/actor.ts';
import type { Context } from '../context.ts';
import type { Database } from '../database/tables.ts';
import { conflict } from '../errors.ts';
import type { Outcome } from './outcome.ts';

/** A key holds for so long, by the service's clock (docs/decisions.md, Idempotency). */
export const KEY_LIFE_MS = 24 * 60 * 60 * 1000;

/** One command with one input that somebody sends under a key. */
export interface Claim {
  readonly actorId: string;
  readonly operation: string;
  readonly key: string;
  readonly inputHash: Buffer;
  readonly now: string;
  /** Keys that were taken up to then have ended. */
  readonly endedUntil: string;
}

/** Undefined without a key, and for callers who have no id of their own: they cannot be told apart. */
export function claimOf(
  ctx: Context,
  operation: string,
  key: string | null | undefined,
  input: unknown,
): Claim | undefined {
  const actorId = actingIdOf(ctx.actor);
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

/**
 * Takes the key for the transaction, before anything else. Undefined: it is ours, and the command is to run. Otherwise
 * what came of it when it ran before. The unique key makes a parallel twin wait until the transaction of the first has
 * ended; if that rolled back, the twin has the key.
 */
export async function takeKey(db: Database, claim: Claim): Promise<Outcome | undefined> {
  const { actorId, operation, key, inputHash, now } = claim;
  const taken = await db
    .insertInto('idempotency_key')
    .values({ actorId, operation, key, inputHash, createdAt: now })
    .onConflict((existing) =>
      existing
        .columns(['actorId', 'operation', 'key'])
        .doUpdateSet({ inputHash, outcome: null, createdAt: now })
        .where('idempotency_key.createdAt', '<=', claim.endedUntil),
    )
    .returning('key')
    .executeTakeFirst();
  return taken ? undefined : findOutcome(db, claim);
}

/** What came of the command if it is done already. CONFLICT when the key belongs to another input. */
export async function findOutcome(db: Database, claim: Claim): Promise<Outcome | undefined> {
  const found = await ofClaim(db, claim)
    .where('createdAt', '>', claim.endedUntil)
    .select(['inputHash', 'outcome'])
    .executeTakeFirst();
  if (!found) return undefined;
  if (!claim.inputHash.equals(found.inputHash)) {
    throw conflict(
      `The idempotency key ${JSON.stringify(claim.key)} was used for another "${claim.operation}" within the last 24 hours; take a new key.`,
    );
  }
  return { kept: found.outcome };
}

/** Notes what came of the command, in its transaction. `kept` is JSON text. */
export async function recordOutcome(db: Database, claim: Claim, kept: string): Promise<void> {
  const { actorId, operation, key } = claim;
  await db
    .updateTable('idempotency_key')
    .set({ outcome: kept })
    .where('actorId', '=', actorId)
    .where('operation', '=', operation)
    .where('key', '=', key)
    .execute();
}

/** Removes keys that have ended. They are taken over when they come again, so this is for the size of the table alone. */
export async function removeEndedKeys(db: Database, now: Date): Promise<void> {
  await db.deleteFrom('idempotency_key').where('createdAt', '<=', endedUntil(now)).execute();
}

const endedUntil = (now: Date) => new Date(now.getTime() - KEY_LIFE_MS).toISOString();

const ofClaim = (db: Database, { actorId, operation, key }: Claim) =>
  db
    .selectFrom('idempotency_key')
    .where('actorId', '=', actorId)
    .where('operation', '=', operation)
    .where('key', '=', key);
