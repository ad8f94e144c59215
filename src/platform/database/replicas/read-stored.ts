import type { Context } from '../../context/context.ts';
import { withStatementMeter } from '../statement-meter.ts';
import type { Database } from '../tables.ts';

/**
 * Reads by key what never changes: content by its hash, and what is projected for a revision while it is a head. A
 * replica answers for the keys that it has, the primary for the others. In a transaction, the transaction answers for
 * all.
 *
 * From a replica, `read` must return either all that belongs to a key, or nothing.
 */
export function readStored<Value>(
  ctx: Pick<Context, 'services' | 'db' | 'inTransaction' | 'meter'>,
  keys: readonly string[],
  read: (db: Database, keys: string[], from: 'replica' | 'primary') => Promise<Map<string, Value>>,
): Promise<Map<string, Value>> {
  if (ctx.inTransaction) return read(ctx.db, [...keys], 'primary');
  return ctx.services.replicas.lookUp(
    keys,
    (db, batch) => read(withStatementMeter(db, ctx.meter), batch, 'replica'),
    (batch) => read(ctx.db, batch, 'primary'),
  );
}
