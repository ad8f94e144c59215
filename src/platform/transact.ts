import type { Context } from './context.ts';
import { isTransient } from './database/constraints.ts';
import type { ExpectedVersion } from './expected-version.ts';

const ATTEMPTS = 3;

/**
 * Runs a command's body in one transaction. A deadlock or serialization failure runs it again, up to three times in all.
 * Effects that wait for the commit happen after it. `id` is the target whose version is expected; without one nothing
 * can meet an expectation.
 */
export async function transact<Result>(
  ctx: Context,
  { id = '', versions }: { id: string | undefined; versions: readonly string[] | undefined },
  body: (inside: Context) => Promise<Result>,
): Promise<Result> {
  for (let count = 1; ; count++) {
    const afterCommit: (() => void)[] = [];
    const expected: ExpectedVersion | undefined = versions && { id, versions };
    try {
      const result = await ctx.db
        .transaction()
        .execute((db) => body({ ...ctx, db, inTransaction: true, afterCommit, expected }));
      for (const effect of afterCommit) effect();
      return result;
    } catch (error) {
      if (count === ATTEMPTS || !isTransient(error)) throw error;
    }
  }
}
