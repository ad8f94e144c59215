import { sql } from 'kysely';
import type { Context } from '../context/context.ts';
import { sessionOf } from '../context/session.ts';
import { isTransient } from '../database/constraints.ts';
import { withMeter } from '../database/statement-meter.ts';
import type { ExpectedVersion } from './expected-version.ts';

const ATTEMPTS = 3;

/** The target of the version that a request expects. Without an id, the expectation always fails. */
interface Target {
  id: string | undefined;
  versions: readonly string[] | undefined;
}

const expectedOf = ({ id = '', versions }: Target): ExpectedVersion | undefined => versions && { id, versions };

/**
 * Runs the body of a command in a transaction. Deadlocks and serialization failures are retried, with up to three
 * attempts in all. `afterCommit` callbacks run after the commit.
 */
export async function transact<Result>(
  ctx: Context,
  target: Target,
  body: (inside: Context) => Promise<Result>,
): Promise<Result> {
  for (let count = 1; ; count++) {
    const afterCommit: (() => void)[] = [];
    try {
      const result = await inTransaction(ctx, (inside) =>
        body({ ...inside, afterCommit, expected: expectedOf(target) }),
      );
      for (const effect of afterCommit) effect();
      return result;
    } catch (error) {
      if (count === ATTEMPTS || !isTransient(error)) throw error;
    }
  }
}

/**
 * Runs a function in one transaction (READ COMMITTED) without retries. Changed entities of the context's entity manager
 * are written before the commit. The manager starts empty, so that each entity is read under its row lock.
 */
export const inTransaction = <Result>(ctx: Context, act: (inside: Context) => Promise<Result>): Promise<Result> =>
  ctx.services.em.fork().transactional((em) => act({ ...ctx, ...sessionOf(em, ctx.meter), inTransaction: true }), {
    clear: true,
    loggerContext: withMeter(ctx.meter),
  });

/**
 * Makes transactions that count the same things, by name, wait for each other, so that a limit holds. Call it before counting,
 * and after all other locks.
 */
export const lockCount = async ({ db }: Context, name: string): Promise<void> =>
  void (await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(db));
