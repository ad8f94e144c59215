import type { Context } from '../context/context.ts';
import { loggable } from '../log/loggable.ts';
import { shareRequestCache } from '../reads/request-cache.ts';

/** Runs a function, and the callbacks of its context (`atEnd`) when it ends or fails. Joins an enclosing call. */
export async function withCleanup<Result>(ctx: Context, act: (ctx: Context) => Promise<Result>): Promise<Result> {
  if (ctx.atEnd) return act(ctx);
  const atEnd: (() => void | Promise<void>)[] = [];
  const scoped = { ...ctx, atEnd };
  shareRequestCache(ctx, scoped);
  try {
    return await act(scoped);
  } finally {
    for (const release of atEnd.toReversed()) await runCleanup(ctx, release);
  }
}

/** Registers a callback for the end of the command, or of the function in `withCleanup`. */
export function atEnd(ctx: Context, release: () => void | Promise<void>): void {
  if (!ctx.atEnd) throw new Error('atEnd() was called outside a command or withCleanup().');
  ctx.atEnd.push(release);
}

/** Failures are only logged, since the outcome is already determined. */
async function runCleanup(ctx: Context, release: () => void | Promise<void>): Promise<void> {
  try {
    await release();
  } catch (error) {
    ctx.log.warn({ err: loggable(error) }, 'a resource could not be released');
  }
}
