import { sql } from 'kysely';
import type { JSONDocument } from '../../../lib/document/document.ts';
import type { HashSource } from '../../../lib/tree/source.ts';
import type { Database } from '../../../platform/database/tables.ts';
import type { BodySource } from '../prepared-bodies/index.ts';

/** Reads bodies of an organization by hash with one statement per call. Nothing is cached. */
export const documentSource =
  (db: Database, organizationId: string): HashSource<JSONDocument> =>
  async (hashes) => {
    const { rows } = await sql<{ hash: string; body: JSONDocument }>`
      select w.hash, d.body from unnest(${hashes}::text[]) as w(hash)
      join document d on d.organization_id = ${organizationId} and d.hash = decode(w.hash, 'hex')`.execute(db);
    return new Map(rows.map(({ hash, body }) => [hash, body]));
  };

/**
 * Reads the texts that bodies of an organization were written as, by hash, with one statement per call. Nothing is
 * cached.
 */
export const textSource =
  (db: Database, organizationId: string): HashSource<BodySource> =>
  async (hashes) => {
    const { rows } = await sql<BodySource & { hash: string }>`
      select w.hash, s.head, s.body, s.document, s.links from unnest(${hashes}::text[]) as w(hash)
      join source_text s on s.organization_id = ${organizationId} and s.hash = decode(w.hash, 'hex')`.execute(db);
    return new Map(rows.map(({ hash, ...text }) => [hash, text]));
  };
