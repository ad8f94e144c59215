import { sql } from 'kysely';
import { FIELDS, type PageTerms } from '../../../lib/search/page-terms.ts';
import type { Database } from '../../../platform/database/tables.ts';
import { lexeme, organizationKey, spaceLexeme } from './lexeme.ts';

/** The space of the indexed pages. */
export interface IndexedSpace {
  organizationId: string;
  spaceId: string;
}

/**
 * Stores entries by hash and returns their ids. Waits for concurrent transactions that insert or delete the same
 * entries, so the returned entries exist and are locked.
 */
export async function storeEntries(
  db: Database,
  { organizationId, spaceId }: IndexedSpace,
  entries: ReadonlyMap<string, PageTerms>,
): Promise<Map<string, number>> {
  if (entries.size === 0) return new Map();
  const key = organizationKey(organizationId);
  const newEntries = [...entries]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([hash, terms]) => ({
      hash,
      words: `${spaceLexeme(key, spaceId)} ${vectorOf(key, terms)}`,
      length: terms.length,
    }));
  const { rows } = await sql<{ id: number; hash: string }>`
    insert into search_entry (organization_id, hash, words, length)
    select ${organizationId}, decode(e.hash, 'hex'), e.words, e.length
    from json_to_recordset(${JSON.stringify(newEntries)}::json) as e(hash text, words tsvector, length int)
    on conflict (organization_id, hash) do update set hash = excluded.hash
    returning id, encode(hash, 'hex') as hash`.execute(db);
  return new Map(rows.map(({ id, hash }) => [hash, id]));
}

/** PostgreSQL sorts the terms. Only the terms of `anywhere` have positions. */
function vectorOf(key: string, { fields, places }: PageTerms): string {
  const placed = (term: string) => {
    const at = places.get(term);
    return at === undefined ? lexeme(key, 'anywhere', term) : `${lexeme(key, 'anywhere', term)}:${at.join(',')}`;
  };
  return FIELDS.flatMap((field) =>
    [...fields[field]].map((term) => (field === 'anywhere' ? placed(term) : lexeme(key, field, term))),
  ).join(' ');
}
