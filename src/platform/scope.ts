import type { Context } from './context.ts';
import { loggable } from './loggable.ts';
import { shareRequestCache } from './reads/request-cache.ts';

/**
 * Runs a function with a context for `atEnd`, whose callbacks run when the function ends or fails. Joins an enclosing
 * scope.
 */
export async function inScope<Result>(ctx: Context, act: (ctx: Context) => Promise<Result>): Promise<Result> {
  if (ctx.atEnd) return act(ctx);
  const atEnd: (() => void | Promise<void>)[] = [];
  const scoped = { ...ctx, atEnd };
  shareRequestCache(ctx, scoped);
  try {
    return await act(scoped);
  } finally {
    for (const release of atEnd.toReversed()) await letGo(ctx, release);
  }
}

/** Registers a callback for the end of the command or other scope of the context. */
export function atEnd(ctx: Context, release: () => void | Promise<void>): void {
  if (!ctx.atEnd) throw new Error('This needs a scope: a command, or inScope().');
  ctx.atEnd.push(release);
}

/** Failures are only logged, since the outcome is already determined. */
async function letGo(ctx: Context, release: () => void | Promise<void>): Promise<void> {
  try {
    await release();
  } catch (error) {
    ctx.log.warn({ err: loggable(error) }, 'a resource could not be released');
  }
}
