import { sql } from 'kysely';
import type { JSONDocument } from '../../../lib/document/document.ts';
import { IN_PAGES } from '../../../lib/document/markdown/forms.ts';
import { printMarkdown } from '../../../lib/document/markdown/print.ts';
import type { Context } from '../../../platform/context/context.ts';
import type { Database } from '../../../platform/database/tables.ts';
import { batchLoader } from '../../../platform/reads/loader.ts';
import { sharedRead } from '../../../platform/reads/shared-reads.ts';
import { DERIVED_VERSION } from '../prepared-bodies/index.ts';

export interface StoredDocument {
  body: JSONDocument;
  markdown: string;
}

/** A row with the version of the rules that its Markdown was printed by. */
interface StoredRow extends StoredDocument {
  version: number;
}

/**
 * A document of a row. Markdown of earlier rules is printed again, because the current rules would read it differently.
 */
const storedDocument = ({ body, markdown, version }: StoredRow): StoredDocument => ({
  body,
  markdown: version === DERIVED_VERSION ? markdown : printMarkdown(body, IN_PAGES),
});

/**
 * A stored body by the hash (in hexadecimal) that a page refers to, batched. Access to the page implies access to its
 * body.
 */
export const loadDocument = async (ctx: Context, organizationId: string, hash: string): Promise<StoredDocument> =>
  documentOrThrow(await load(ctx, `${organizationId}/${hash}`), hash);

function documentOrThrow(document: StoredDocument | undefined, hash: string): StoredDocument {
  if (!document) throw new Error(`The document ${hash} is not stored.`);
  return document;
}

/** Number of bodies that are read together. They can have megabytes. */
export const BODIES_AT_ONCE = 20;

const read = sharedRead<StoredDocument>(readRows, { maxBatch: BODIES_AT_ONCE, isStored: true });

const load = batchLoader<StoredDocument>('document', read);

/** `readDocuments` for one body. */
export const readDocument = async (ctx: Context, organizationId: string, hash: string): Promise<StoredDocument> => {
  const key = `${organizationId}/${hash}`;
  return documentOrThrow((await read(ctx, [key])).get(key), hash);
};

/**
 * Stored bodies by hash (in hexadecimal), batched, which the request does not keep. For work on any number of bodies,
 * which reads them in groups of `BODIES_AT_ONCE`.
 */
export async function readDocuments(
  ctx: Context,
  organizationId: string,
  hashes: readonly string[],
): Promise<Map<string, StoredDocument>> {
  const keyOf = (hash: string) => `${organizationId}/${hash}`;
  const documents = await read(ctx, hashes.map(keyOf));
  return new Map(hashes.map((hash) => [hash, documentOrThrow(documents.get(keyOf(hash)), hash)]));
}

async function readRows(db: Database, keys: string[]): Promise<Map<string, StoredDocument>> {
  const [organizationIds, hashes] = [keys.map((key) => key.split('/')[0]), keys.map((key) => key.split('/')[1])];
  const { rows } = await sql<StoredRow & { key: string }>`
    select w.organization_id || '/' || w.hash as key, d.body, d.markdown, d.derived_version as version
    from unnest(${organizationIds}::text[], ${hashes}::text[]) as w(organization_id, hash)
    join document d on d.organization_id = w.organization_id and d.hash = decode(w.hash, 'hex')`.execute(db);
  return new Map(rows.map(({ key, ...row }) => [key, storedDocument(row)]));
}
