import type { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import type { RevisionRow } from '../../store/revisions/index.ts';
import type { RequestedChange } from './content-changes.ts';
import type { ChangeKind } from './edit-state/change-kind.ts';
import type { ChangePath } from './edit-state/change-path.ts';
import { Preparation } from './edit-state/preparation.ts';
import type { Refs } from './edit-state/refs.ts';
import { changeKinds } from './kinds/change-kinds.ts';

/** A change with its kind and the result of its preparation. */
interface PreparedChange {
  kind: ChangeKind<z.ZodObject, unknown>;
  change: Record<string, unknown>;
  ready: unknown;
  /** Such as `changes.2.insertPage`, for errors. */
  path: ChangePath;
}

export interface PreparedChanges {
  changes: PreparedChange[];
  refs: Refs;
}

/**
 * Prepares changes before the transaction, so that no locks are held while bodies are parsed. `base` loads the revision
 * that the changes are based on; it is called only if a change needs it.
 */
export async function prepareChanges(
  ctx: Context,
  organizationId: string,
  changes: readonly RequestedChange[],
  base: () => Promise<RevisionRow>,
): Promise<PreparedChanges> {
  const preparation = new Preparation(ctx, organizationId, base);
  const named = changes.map((entry, index) => {
    const { name, kind, change } = kindOf(entry);
    return { kind, change, path: ['changes', index, name] };
  });
  for (const { kind, change, path } of named) kind.declare?.(preparation, change, path);
  const prepared: PreparedChange[] = [];
  for (const { kind, change, path } of named) {
    prepared.push({ kind, change, path, ready: await kind.prepare?.(preparation, change, path) });
  }
  return { changes: prepared, refs: preparation.refs };
}

/** The kind of a change is the one property that is set. */
function kindOf(entry: RequestedChange) {
  const kinds: Record<string, ChangeKind<z.ZodObject, unknown>> = changeKinds;
  for (const [name, change] of Object.entries(entry)) {
    const kind = kinds[name];
    if (kind && change !== undefined) return { name, kind, change };
  }
  throw new Error('kindOf() found no known kind in a validated change.');
}
