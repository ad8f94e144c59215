import type { Context } from '../../../platform/context/context.ts';

/** A space that is being removed permanently. */
export interface RemovedSpace {
  id: string;
  organizationId: string;
}

/**
 * Work of a module above this one before a space is removed permanently, in transactions of its own. It is repeated
 * when a removal is interrupted.
 */
export type BeforeRemoval = (ctx: Context, space: RemovedSpace) => Promise<void>;

const registered: BeforeRemoval[] = [];

/** Adds work before the rows of a space are removed. */
export function addBeforeRemoval(work: BeforeRemoval): void {
  registered.push(work);
}

export async function runBeforeRemoval(ctx: Context, space: RemovedSpace): Promise<void> {
  for (const work of registered) await work(ctx, space);
}
