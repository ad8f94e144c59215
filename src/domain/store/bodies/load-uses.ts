import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { JSONDocument } from '../../../lib/document/document.ts';
import { type Use, usesOf } from '../../../lib/document/uses.ts';
import { makeYielder } from '../../../lib/tick.ts';
import type { Context } from '../../../platform/context/context.ts';
import type { Database } from '../../../platform/database/tables.ts';
import { sharedLoader } from '../../../platform/reads/loader.ts';
import { BODIES_AT_ONCE, readDocuments } from './load-document.ts';

/** Uses of bodies by organization and hash, which do not change. */
const cache = new LRUCache<string, readonly Use[]>({ maxSize: 200_000, sizeCalculation: ({ length }) => length + 1 });

/**
 * Objects that bodies use, by hash in hexadecimal. One statement, batched, for those that are not remembered. Bodies
 * that earlier rules were applied to are read until a job has derived their uses.
 */
export async function usesOfDocuments(
  ctx: Context,
  organizationId: string,
  hashes: readonly string[],
): Promise<Map<string, readonly Use[]>> {
  const unique = [...new Set(hashes)];
  const keyOf = (hash: string) => `${organizationId}/${hash}`;
  const usesByHash = new Map(unique.map((hash) => [hash, cache.get(keyOf(hash))]));
  const missing = unique.filter((hash) => usesByHash.get(hash) === undefined);
  const stored = await load.loadMany(ctx, missing.map(keyOf));
  for (const [index, hash] of missing.entries()) usesByHash.set(hash, stored[index]?.uses ?? undefined);
  await deriveMissing(ctx, organizationId, usesByHash);
  const uses = new Map([...usesByHash].map(([hash, list]) => [hash, list ?? []]));
  for (const hash of missing) cache.set(keyOf(hash), uses.get(hash) ?? []);
  return uses;
}

/** Objects that bodies use, in the present transaction: also of those that it has just stored. */
export async function usesOfWritten(ctx: Context, organizationId: string, hashes: readonly string[]): Promise<Use[]> {
  const { rows } = await sql<{ uses: Use[] | null; body: JSONDocument | null }>`
    select uses, case when uses is null then body end as body from document
    where organization_id = ${organizationId}
      and hash in (select decode(hash, 'hex') from unnest(${[...new Set(hashes)]}::text[]) as w(hash))`.execute(ctx.db);
  return rows.flatMap(({ uses, body }) => uses ?? (body ? usesOf(body) : []));
}

async function deriveMissing(
  ctx: Context,
  organizationId: string,
  usesByHash: Map<string, readonly Use[] | undefined>,
): Promise<void> {
  const pause = makeYielder();
  const underived = [...usesByHash].flatMap(([hash, uses]) => (uses === undefined ? [hash] : []));
  for (let start = 0; start < underived.length; start += BODIES_AT_ONCE) {
    const some = underived.slice(start, start + BODIES_AT_ONCE);
    for (const [hash, { body }] of await readDocuments(ctx, organizationId, some)) {
      await pause();
      usesByHash.set(hash, usesOf(body));
    }
  }
}

const load = sharedLoader<{ uses: Use[] | null }>('uses', readUses, { isStored: true });

async function readUses(db: Database, keys: string[]): Promise<Map<string, { uses: Use[] | null }>> {
  const [organizationIds, hashes] = [keys.map((key) => key.split('/')[0]), keys.map((key) => key.split('/')[1])];
  const { rows } = await sql<{ key: string; uses: Use[] | null }>`
    select w.organization_id || '/' || w.hash as key, d.uses
    from unnest(${organizationIds}::text[], ${hashes}::text[]) as w(organization_id, hash)
    join document d on d.organization_id = w.organization_id and d.hash = decode(w.hash, 'hex')`.execute(db);
  return new Map(rows.map(({ key, uses }) => [key, { uses }]));
}
