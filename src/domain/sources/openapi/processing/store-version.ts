import { sql } from 'kysely';
import type { Context } from '../../../../platform/context/context.ts';
import { newId } from '../../../../platform/ids/ids.ts';
import { storeWords } from '../../../store/search-index/index.ts';
import type { SpecRow } from '../access.ts';
import type { GatheredVersion } from './gather-source.ts';

/** Columns of the rows that the worker sends. The other columns are the same for all rows of a version. */
const COLUMNS = {
  openapi_file: sql`position int, piece int, filename text, "references" text[], source text, specification text`,
  openapi_operation: sql`id text, position int, kind text, method text, path text, operation_id text, summary text,
    tags text[], is_deprecated boolean, body text, parts text[]`,
  openapi_schema: sql`id text, position int, name text, title text, body text, parts text[]`,
  openapi_part: sql`ref text, body text`,
  openapi_change: sql`position int, subject text, kind text, name text, is_breaking boolean, reasons json`,
} as const;

const NAMES = {
  openapi_file: sql`position, piece, filename, "references", source, specification`,
  openapi_operation: sql`id, position, kind, method, path, operation_id, summary, tags, is_deprecated, body, parts`,
  openapi_schema: sql`id, position, name, title, body, parts`,
  openapi_part: sql`ref, body`,
  openapi_change: sql`position, subject, kind, name, is_breaking, reasons`,
} as const;

/**
 * Writes a version with its files, operations, schemas and parts, in the transaction of the context. Returns its id.
 */
export async function storeVersion(
  ctx: Context,
  { id: specId, organizationId, sourceUrl }: Pick<SpecRow, 'id' | 'organizationId' | 'sourceUrl'>,
  { version, rows, words, location }: GatheredVersion,
  createdAt: string,
): Promise<string> {
  const id = newId('openapiversion');
  await ctx.db
    .insertInto('openapi_spec_version')
    .values({
      id,
      organizationId,
      specId,
      sourceUrl,
      ...version,
      location,
      lintUpdatedAt: createdAt,
      outline: version.outline as never, // already JSON text
      createdAt,
    })
    .execute();
  await storeWords(ctx.db, organizationId, new Set(words));
  for (const { table, rows: values } of rows) {
    // PostgreSQL reads JSON in the binary format of parameters too, so that it is not encoded twice.
    const bytes = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
    await sql`
      insert into ${sql.table(table)} (version_id, organization_id, ${NAMES[table]})
      select ${id}, ${organizationId}, r.* from json_to_recordset(${bytes}::json) as r(${COLUMNS[table]})`.execute(
      ctx.db,
    );
  }
  return id;
}
