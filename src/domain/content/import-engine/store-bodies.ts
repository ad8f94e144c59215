import { makeYielder } from '../../../lib/tick.ts';
import type { Context } from '../../../platform/context/context.ts';
import { storeBodyRows, storedHashes, storeSourceRows } from '../../store/bodies/index.ts';
import type { ImportedBody, StoredRows } from './read-body.ts';

/** Limits of one batch of bodies. Between batches, the event loop can run. */
const BATCH_CHARACTERS = 256 * 1024;
const BODIES_PER_BATCH = 50;

/** Stores the bodies that are not stored yet, in the order of their hashes, so that two imports never deadlock. */
export async function storeBodies(
  ctx: Context,
  organizationId: string,
  bodies: readonly ImportedBody[],
): Promise<void> {
  const pause = makeYielder();
  const missing = await missingIn(ctx, organizationId, bodies);
  for (const batch of batchesOf(missing.toSorted((a, b) => (a.hash < b.hash ? -1 : Number(a.hash > b.hash))))) {
    await pause();
    await storeBatch(ctx, organizationId, batch);
  }
}

async function storeBatch(ctx: Context, organizationId: string, bodies: readonly ImportedBody[]): Promise<void> {
  await storeRows(ctx, organizationId, await Promise.all(bodies.map((body) => body.rows())));
}

/** Stores a few bodies with their texts. */
export async function storeRows(ctx: Context, organizationId: string, rows: readonly StoredRows[]): Promise<void> {
  await storeBodyRows(
    ctx,
    organizationId,
    rows.map(({ document }) => document),
  );
  const sources = rows.flatMap(({ source }) => source ?? []);
  await storeSourceRows(ctx, organizationId, sources);
}

/** Consecutive bodies that are stored together. */
export function batchesOf(bodies: readonly ImportedBody[]): ImportedBody[][] {
  const batches: ImportedBody[][] = [];
  let size = 0;
  for (const body of bodies) {
    const batch = batches.at(-1);
    if (batch && batch.length < BODIES_PER_BATCH && size < BATCH_CHARACTERS) batch.push(body);
    else {
      batches.push([body]);
      size = 0;
    }
    size += body.length;
  }
  return batches;
}

/** The bodies without a stored document or without a stored text. */
async function missingIn(
  ctx: Context,
  organizationId: string,
  bodies: readonly ImportedBody[],
): Promise<ImportedBody[]> {
  const documents = await storedHashes(ctx, organizationId, {
    table: 'document',
    hashes: bodies.map(({ hash }) => hash),
  });
  const sources = await storedHashes(ctx, organizationId, {
    table: 'source_text',
    hashes: bodies.flatMap(({ sourceHash }) => sourceHash ?? []),
  });
  return bodies.filter(
    ({ hash, sourceHash }) => !documents.has(hash) || (sourceHash !== undefined && !sources.has(sourceHash)),
  );
}
