import { sql } from 'kysely';
import type { JsonValue } from '../../../../lib/openapi/read-source.ts';
import { resolveForReaders, resolveReferences } from '../../../../lib/openapi/resolve.ts';
import { makeYielder } from '../../../../lib/tick.ts';
import type { Context } from '../../../../platform/context/context.ts';
import { batchLoader } from '../../../../platform/reads/loader.ts';

type Table = 'openapi_operation' | 'openapi_schema';

interface Unresolved {
  id: string;
  versionId: string;
  body: string;
  parts: string[];
}

/**
 * The objects of operations or schemas by id, with resolved references. Batched: two statements. Does not check access.
 */
const resolvedIn = (table: Table, resolve = resolveReferences) =>
  batchLoader<JsonValue>(`${resolve.name} ${table}`, async (ctx, ids) => {
    const { rows } = await sql<Unresolved>`
      select o.id, o.version_id, o.body, o.parts from ${sql.table(table)} o where o.id = any(${ids}::text[])`.execute(
      ctx.db,
    );
    const parts = await partsOf(ctx, rows);
    const resolved = new Map<string, JsonValue>();
    const pause = makeYielder();
    for (const { id, versionId, body } of rows) {
      await pause();
      resolved.set(
        id,
        resolve(JSON.parse(body), (ref) => parsed(parts, `${versionId} ${ref}`)),
      );
    }
    return resolved;
  });

/** Parts that are parsed when a reference first leads to them. */
type Parts = Map<string, { json: string; value?: JsonValue }>;

async function partsOf({ db }: Context, rows: readonly Unresolved[]): Promise<Parts> {
  const refsByKey = new Map(
    rows.flatMap(({ versionId, parts }) => parts.map((ref) => [`${versionId} ${ref}`, { versionId, ref }])),
  );
  const list = [...refsByKey.values()];
  const result = await sql<{ versionId: string; ref: string; body: string }>`
    select p.version_id, p.ref, p.body
    from unnest(${list.map(({ versionId }) => versionId)}::text[], ${list.map(({ ref }) => ref)}::text[]) as w(version_id, ref)
    join openapi_part p on p.version_id = w.version_id and p.ref = w.ref`.execute(db);
  return new Map(result.rows.map(({ versionId, ref, body }) => [`${versionId} ${ref}`, { json: body }]));
}

function parsed(parts: Parts, key: string): JsonValue | undefined {
  const part = parts.get(key);
  if (part) part.value ??= JSON.parse(part.json);
  return part?.value;
}

export const resolvedOperation = resolvedIn('openapi_operation');
export const resolvedSchema = resolvedIn('openapi_schema');

/** The same with what only pages show. */
export const readableOperation = resolvedIn('openapi_operation', resolveForReaders);
export const readableSchema = resolvedIn('openapi_schema', resolveForReaders);
