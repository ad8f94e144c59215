import { sql } from 'kysely';
import type { Context } from '../../../platform/context/context.ts';
import { readStored } from '../../../platform/database/replicas/read-stored.ts';
import type { Database } from '../../../platform/database/tables.ts';
import { batchLoader } from '../../../platform/reads/loader.ts';
import type { SourceText } from '../prepared-bodies/index.ts';

/** A stored text by the hash (in hexadecimal) that a page refers to, batched. */
export const loadSource = async (ctx: Context, organizationId: string, hash: string): Promise<SourceText> => {
  const source = await load(ctx, `${organizationId}/${hash}`);
  if (!source) throw new Error(`The source text ${hash} is not stored.`);
  return source;
};

const load = batchLoader<SourceText>('source text', (ctx, keys) => readStored(ctx, keys, readSources));

async function readSources(db: Database, keys: string[]): Promise<Map<string, SourceText>> {
  const [organizationIds, hashes] = [keys.map((key) => key.split('/')[0]), keys.map((key) => key.split('/')[1])];
  const { rows } = await sql<SourceText & { key: string }>`
    select w.organization_id || '/' || w.hash as key, s.head, s.body, s.document, s.links
    from unnest(${organizationIds}::text[], ${hashes}::text[]) as w(organization_id, hash)
    join source_text s on s.organization_id = w.organization_id and s.hash = decode(w.hash, 'hex')`.execute(db);
  return new Map(rows.map(({ key, ...source }) => [key, source]));
}
