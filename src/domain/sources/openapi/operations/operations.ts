import { sql } from 'kysely';
import type { Context } from '../../../../platform/context/context.ts';
import { anyOf } from '../../../../platform/database/conditions.ts';
import type { Row } from '../../../../platform/database/tables.ts';
import { listing } from '../../../../platform/paging/listing.ts';
import { asc } from '../../../../platform/paging/order.ts';
import { rowLoader } from '../../../../platform/reads/loader.ts';
import { filterOwnOrganizations } from '../access.ts';

/** An operation without its object, which `resolvedOperation` loads. */
export type OperationRow = Omit<Row<'openapi_operation'>, 'body' | 'parts'>;
/** A schema without its object, which `resolvedSchema` loads. */
export type SchemaRow = Omit<Row<'openapi_schema'>, 'body' | 'parts'>;

const OPERATION_COLUMNS = [
  'id',
  'organizationId',
  'versionId',
  'position',
  'kind',
  'method',
  'path',
  'operationId',
  'summary',
  'tags',
  'isDeprecated',
] as const satisfies (keyof OperationRow)[];

const SCHEMA_COLUMNS = [
  'id',
  'organizationId',
  'versionId',
  'position',
  'name',
  'title',
] as const satisfies (keyof SchemaRow)[];

/** Filters of operations. Null means any. */
export interface OperationFilter {
  tag: string | null;
  method: string | null;
  path: string | null;
  text: string | null;
}

const columns = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(`o.${name}`)));

/** Text that is searched for is matched as it is, without wildcards. */
const contains = (text: string) =>
  sql`strpos(lower(concat_ws(' ', o.path, o.operation_id, o.summary)), ${text.toLowerCase()}) > 0`;

export const operationsOfVersion = listing<OperationFilter, OperationRow>({
  name: 'openApiVersion.operations',
  from: 'openapi_operation as o',
  select: columns(OPERATION_COLUMNS),
  parent: 'versionId',
  where: ({ tag, method, path, text }) => [
    tag !== null && sql`${tag} = any(o.tags)`,
    method !== null && sql`o.method = ${method.toLowerCase()}`,
    path !== null && sql`o.path = ${path}`,
    text !== null && contains(text),
  ],
  order: [asc('position', 'integer'), asc('id')],
});

export const schemasOfVersion = listing<{ text: string | null }, SchemaRow>({
  name: 'openApiVersion.schemas',
  from: 'openapi_schema as o',
  select: columns(SCHEMA_COLUMNS),
  parent: 'versionId',
  where: ({ text }) => [
    text !== null && sql`strpos(lower(concat_ws(' ', o.name, o.title)), ${text.toLowerCase()}) > 0`,
  ],
  order: [asc('position', 'integer'), asc('id')],
});

/** The operation of a version with a path, or the name of a webhook, and a method. Undefined if there is none. */
export const findOperation = (
  { db }: Context,
  { versionId, path, method }: { versionId: string; path: string; method: string },
): Promise<OperationRow | undefined> =>
  db
    .selectFrom('openapi_operation')
    .where('versionId', '=', versionId)
    .where('path', '=', path)
    .where('method', '=', method.toLowerCase())
    .orderBy('position')
    .select(OPERATION_COLUMNS)
    .executeTakeFirst();

/** Operations by id, batched. Only those of organizations in which the caller has a role. */
export const loadOperation = rowLoader<OperationRow>('openapi operation', async (ctx, ids) =>
  filterOwnOrganizations(
    ctx,
    await ctx.db.selectFrom('openapi_operation').where('id', '=', anyOf(ids)).select(OPERATION_COLUMNS).execute(),
  ),
);

/** Schemas by id, batched. Only those of organizations in which the caller has a role. */
export const loadSchema = rowLoader<SchemaRow>('openapi schema', async (ctx, ids) =>
  filterOwnOrganizations(
    ctx,
    await ctx.db.selectFrom('openapi_schema').where('id', '=', anyOf(ids)).select(SCHEMA_COLUMNS).execute(),
  ),
);
