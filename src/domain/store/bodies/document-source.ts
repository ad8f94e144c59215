import { sql } from 'kysely';
import type { JSONDocument } from '../../../lib/document/document.ts';
import type { HashSource } from '../../../lib/tree/source.ts';
import type { Database } from '../../../platform/database/tables.ts';

/** Reads bodies of an organization by hash with one statement per call. Nothing is cached. */
export const documentSource =
  (db: Database, organizationId: string): HashSource<JSONDocument> =>
  async (hashes) => {
    const { rows } = await sql<{ hash: string; body: JSONDocument }>`
      select w.hash, d.body from unnest(${hashes}::text[]) as w(hash)
      join document d on d.organization_id = ${organizationId} and d.hash = decode(w.hash, 'hex')`.execute(db);
    return new Map(rows.map(({ hash, body }) => [hash, body]));
  };
