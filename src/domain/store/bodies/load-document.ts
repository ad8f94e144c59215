import { sql } from 'kysely';
import type { JSONDocument } from '../../../lib/document/document.ts';
import { IN_PAGES } from '../../../lib/document/markdown/forms.ts';
import { printMarkdown } from '../../../lib/document/markdown/print.ts';
import type { Context } from '../../../platform/context/context.ts';
import type { Database } from '../../../platform/database/tables.ts';
import { sharedLoader } from '../../../platform/reads/loader.ts';
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
export const loadDocument = async (ctx: Context, organizationId: string, hash: string): Promise<StoredDocument> => {
  const document = await load(ctx, `${organizationId}/${hash}`);
  if (!document) throw new Error(`The document ${hash} is not stored.`);
  return document;
};

/** Documents can have megabytes. */
const MAX_BATCH = 20;

const load = sharedLoader<StoredDocument>('document', readDocuments, { maxBatch: MAX_BATCH, isStored: true });

async function readDocuments(db: Database, keys: string[]): Promise<Map<string, StoredDocument>> {
  const [organizationIds, hashes] = [keys.map((key) => key.split('/')[0]), keys.map((key) => key.split('/')[1])];
  const { rows } = await sql<StoredRow & { key: string }>`
    select w.organization_id || '/' || w.hash as key, d.body, d.markdown, d.derived_version as version
    from unnest(${organizationIds}::text[], ${hashes}::text[]) as w(organization_id, hash)
    join document d on d.organization_id = w.organization_id and d.hash = decode(w.hash, 'hex')`.execute(db);
  return new Map(rows.map(({ key, ...row }) => [key, storedDocument(row)]));
}
