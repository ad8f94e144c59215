import { sql } from 'kysely';
import type { Context } from '../../../platform/context/context.ts';
import type { Database } from '../../../platform/database/tables.ts';
import { batchLoader } from '../../../platform/reads/loader.ts';
import { sharedRead } from '../../../platform/reads/shared-reads.ts';
import type { BodySource } from '../prepared-bodies/index.ts';
import { BODIES_AT_ONCE } from './load-document.ts';

/** A stored text by the hash (in hexadecimal) that a page refers to, batched. */
export const loadSource = async (ctx: Context, organizationId: string, hash: string): Promise<BodySource> =>
  sourceOrThrow(await load(ctx, `${organizationId}/${hash}`), hash);

function sourceOrThrow(source: BodySource | undefined, hash: string): BodySource {
  if (!source) throw new Error(`The source text ${hash} is not stored.`);
  return source;
}

const read = sharedRead<BodySource>(readRows, { maxBatch: BODIES_AT_ONCE, isStored: true });

const load = batchLoader<BodySource>('source text', read);

/** Stored texts by hash (in hexadecimal), batched, which the request does not keep: see `readDocuments`. */
export async function readSources(
  ctx: Context,
  organizationId: string,
  hashes: readonly string[],
): Promise<Map<string, BodySource>> {
  const keyOf = (hash: string) => `${organizationId}/${hash}`;
  const sources = await read(ctx, hashes.map(keyOf));
  return new Map(hashes.map((hash) => [hash, sourceOrThrow(sources.get(keyOf(hash)), hash)]));
}

async function readRows(db: Database, keys: string[]): Promise<Map<string, BodySource>> {
  const [organizationIds, hashes] = [keys.map((key) => key.split('/')[0]), keys.map((key) => key.split('/')[1])];
  const { rows } = await sql<BodySource & { key: string }>`
    select w.organization_id || '/' || w.hash as key, s.head, s.body, s.document, s.links
    from unnest(${organizationIds}::text[], ${hashes}::text[]) as w(organization_id, hash)
    join source_text s on s.organization_id = w.organization_id and s.hash = decode(w.hash, 'hex')`.execute(db);
  return new Map(rows.map(({ key, ...source }) => [key, source]));
}
