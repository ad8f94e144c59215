import { type Context, sessionOf } from './context.ts';
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
      const result = await inTransaction(ctx, (inside) => body({ ...inside, afterCommit, expected }));
      for (const effect of afterCommit) effect();
      return result;
    } catch (error) {
      if (count === ATTEMPTS || !isTransient(error)) throw error;
    }
  }
}

/**
 * Does something in one transaction (READ COMMITTED), without a second attempt. Entities of the context's manager that
 * were changed are written before the commit at the latest; it begins with none, so that each is read under its lock.
 */
export const inTransaction = <Result>(ctx: Context, act: (inside: Context) => Promise<Result>): Promise<Result> =>
  ctx.em.transactional((em) => act({ ...ctx, ...sessionOf(em, ctx.meter), inTransaction: true }), { clear: true });
