import type { Context } from './context.ts';
import { loggable } from './loggable.ts';
import { shareRequestCache } from './request-cache.ts';

/**
 * Runs with a context in which `atEnd` lets go of what was opened: when this is over, however it ends. Inside another
 * scope it is that one.
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

/** Does something at the end of the command, or other scope, that the context is of. */
export function atEnd(ctx: Context, release: () => void | Promise<void>): void {
  if (!ctx.atEnd) throw new Error('This needs a scope: a command, or inScope().');
  ctx.atEnd.push(release);
}

/** The outcome is known by then, and does not change because something stays open. */
async function letGo(ctx: Context, release: () => void | Promise<void>): Promise<void> {
  try {
    await release();
  } catch (error) {
    ctx.log.warn({ err: loggable(error) }, 'something could not be let go of');
  }
}
