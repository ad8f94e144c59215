import type { Context } from '../context/context.ts';
import { accessThrough } from '../context/database-access.ts';
import type { ExpectedVersion } from '../context/expected-version.ts';
import { isTransient } from '../database/constraints.ts';
import { withMeter } from '../database/statement-meter.ts';

const MAX_ATTEMPTS = 3;

/**
 * Runs a function in a transaction. Deadlocks and serialization failures are retried, with up to three attempts in all.
 * `afterCommit` callbacks run after the commit. `expected` is the version that the request expects of a resource
 * (`rejectOtherVersion`).
 */
export async function transact<Result>(
  ctx: Context,
  act: (inside: Context) => Promise<Result>,
  expected?: ExpectedVersion,
): Promise<Result> {
  for (let count = 1; ; count++) {
    try {
      // A copy of the expectation for each attempt: `recordVersion` changes it.
      return await withEffects((afterCommit) =>
        inTransaction(ctx, (inside) => act({ ...inside, afterCommit, expected: expected && { ...expected } })),
      );
    } catch (error) {
      if (count === MAX_ATTEMPTS || !isTransient(error)) throw error;
    }
  }
}

/** Runs a function, and then, unless it throws, the effects that it has added to the list. */
export async function withEffects<Result>(act: (effects: (() => void)[]) => Promise<Result>): Promise<Result> {
  const effects: (() => void)[] = [];
  const result = await act(effects);
  for (const effect of effects) effect();
  return result;
}

/**
 * Runs a function in one transaction (READ COMMITTED) without retries. Changed entities of the context's entity manager
 * are written before the commit. The manager starts empty, so that each entity is read under its row lock.
 */
export const inTransaction = <Result>(ctx: Context, act: (inside: Context) => Promise<Result>): Promise<Result> =>
  ctx.services.em.fork().transactional((em) => act({ ...ctx, ...accessThrough(em, ctx.meter), inTransaction: true }), {
    clear: true,
    loggerContext: withMeter(ctx.meter),
  });
