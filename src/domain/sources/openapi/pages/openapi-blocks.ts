import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { sha256 } from '../../../../lib/canonical.ts';
import type { AnyNode, Block } from '../../../../lib/document/document.ts';
import { mapChildren } from '../../../../lib/document/map-children.ts';
import { memoryOf } from '../../../../lib/document/size.ts';
import { describeOperation, describeSchemas } from '../../../../lib/openapi/describe-markdown.ts';
import type { Outline } from '../../../../lib/openapi/outline.ts';
import { operationText, type PageTextPart } from '../../../../lib/openapi/page-texts.ts';
import { operationsAt } from '../../../../lib/openapi/pages.ts';
import { isJsonRecord } from '../../../../lib/openapi/read-source.ts';
import type { Context } from '../../../../platform/context/context.ts';
import { anyOf } from '../../../../platform/database/conditions.ts';
import { batchLoader } from '../../../../platform/reads/loader.ts';
import { SharedWork } from '../../../../platform/reads/shared-work.ts';
import type { BlockSource } from '../../../content/computed-sources/index.ts';
import type { OperationRow } from '../operations/operations.ts';
import { readableOperation, readableSchema } from '../operations/resolved.ts';
import { latestVersion, outlineOfVersion } from './outlines.ts';
import { readDescription } from './read-description.ts';

/** Length of the Markdown that schemas are described by. Its tables are many times as large as a document. */
const MAX_CHARACTERS = 40_000;

/** Schemas that are read at once. */
const SCHEMAS_AT_ONCE = 10;

/**
 * Described operations and lists of schemas by the ids of their rows, which are immutable. Without blocks if their
 * description cannot be read.
 */
const described = new LRUCache<string, { blocks?: Block[] | undefined }>({
  maxSize: 30_000_000,
  sizeCalculation: ({ blocks }, key) => memoryOf(blocks ?? []) + key.length + 100,
});

const describing = new SharedWork<Block[] | undefined>();

/** Content of OpenAPI blocks: the operation or the schemas in the latest version of their specification. */
export const openApiBlocks: BlockSource = {
  types: ['openapi-operation', 'openapi-webhook', 'openapi-schemas'],
  async blocks(ctx, organizationId, block) {
    const spec = specOf(block);
    const version = spec === undefined ? undefined : await latestVersion(ctx, organizationId, spec);
    if (!version) return undefined;
    const blocks =
      block.type === 'openapi-schemas'
        ? await schemaBlocks(ctx, organizationId, version.versionId, block.data.schemas)
        : await operationBlocks(ctx, organizationId, version.versionId, block);
    return blocks?.map((each) => rekeyed(each, block.key ?? spec ?? ''));
  },
  async section(ctx, organizationId, block) {
    const spec = specOf(block);
    const version = spec === undefined ? undefined : await latestVersion(ctx, organizationId, spec);
    const outline = version && (await outlineOfVersion(ctx, version.versionId));
    const text = outline && textOfBlock(outline, block);
    return text && { ...text, anchor: block.key ?? text.anchor };
  },
};

function specOf(block: Block): string | undefined {
  const isOurs =
    block.type === 'openapi-operation' || block.type === 'openapi-webhook' || block.type === 'openapi-schemas';
  return isOurs ? block.data.ref.spec : undefined;
}

/** Search terms of a block. Undefined if the specification lacks its operation or schemas. */
function textOfBlock(outline: Outline, block: Block): PageTextPart | undefined {
  if (block.type === 'openapi-schemas') {
    const schemaNames = new Set(outline.schemas);
    const body = block.data.schemas.filter((name) => schemaNames.has(name)).join(' ');
    return body === '' ? undefined : { anchor: null, title: block.data.title ?? null, body };
  }
  const named = nameOf(block);
  if (!named) return undefined;
  const [kind, method, path] = named;
  const operation = operationsAt(outline, path, method).find((each) => each.kind === kind && each.method === method);
  return operation && operationText(operation);
}

/** Kind, method and path or name of what a block shows. */
function nameOf(block: Block): [kind: string, method: string, path: string] | undefined {
  if (block.type === 'openapi-operation') return ['path', block.data.method.toLowerCase(), block.data.path];
  if (block.type === 'openapi-webhook') return ['webhook', block.data.method.toLowerCase(), block.data.name];
  return undefined;
}

async function operationBlocks(ctx: Context, organizationId: string, versionId: string, block: Block) {
  const named = nameOf(block);
  const row = named && (await operationByName(ctx, JSON.stringify([versionId, ...named])));
  if (!row) return undefined;
  return describedBy(ctx, organizationId, row.id, async (workCtx) => {
    const operation = await readableOperation(workCtx, row.id);
    const { kind, method, path, summary, isDeprecated } = row;
    const title = summary ?? `${method.toUpperCase()} ${path}`;
    return isJsonRecord(operation) ? describeOperation({ kind, method, path, title, isDeprecated, operation }) : '';
  });
}

/** Operations by version, kind, method and path or name as JSON, batched. */
const operationByName = batchLoader<OperationRow>('openapi operation by name', async (ctx, keys) => {
  const names: string[][] = keys.map((key) => JSON.parse(key));
  const column = (index: number) => names.map((name) => name[index] ?? '');
  const { rows } = await sql<OperationRow & { key: string }>`
    select w.key, o.id, o.kind, o.method, o.path, o.summary, o.is_deprecated
    from unnest(${[...keys]}::text[], ${column(0)}::text[], ${column(1)}::text[], ${column(2)}::text[], ${column(3)}::text[])
      as w(key, version_id, kind, method, path)
    join openapi_operation o on o.version_id = w.version_id
      and md5(o.kind || ' ' || o.method || ' ' || o.path) = md5(w.kind || ' ' || lower(w.method) || ' ' || w.path)
      and o.kind = w.kind and o.method = lower(w.method) and o.path = w.path
    order by o.position desc`.execute(ctx.db);
  return new Map(rows.map((row) => [row.key, row]));
});

async function schemaBlocks(ctx: Context, organizationId: string, versionId: string, names: readonly string[]) {
  const rows = await ctx.db
    .selectFrom('openapi_schema')
    .where('versionId', '=', versionId)
    .where('name', '=', anyOf([...names]))
    .orderBy('position')
    .select(['id', 'name'])
    .execute();
  if (rows.length === 0) return undefined;
  const key = sha256(rows.map(({ id }) => id).join(' '));
  return describedBy(ctx, organizationId, key, (workCtx) => describeRows(workCtx, rows));
}

/** Describes schemas until the text is long enough. The others are counted. */
async function describeRows(ctx: Context, rows: readonly { id: string; name: string }[]): Promise<string> {
  let text = '';
  for (let from = 0; from < rows.length; from += SCHEMAS_AT_ONCE) {
    const some = rows.slice(from, from + SCHEMAS_AT_ONCE);
    const schemas = await readableSchema.loadMany(
      ctx,
      some.map(({ id }) => id),
    );
    for (const [index, { name }] of some.entries()) {
      const next = describeSchemas([{ name, schema: schemas[index] ?? {} }]);
      if (text !== '' && text.length + next.length > MAX_CHARACTERS)
        return `${text}\n${rows.length - from - index} more in the specification.\n`;
      text += `${next}\n`;
    }
  }
  return text;
}

/**
 * Returns the blocks of a Markdown text. Undefined if it cannot be read as a body: the OpenAPI block then stays as it
 * is.
 */
async function describedBy(
  ctx: Context,
  organizationId: string,
  key: string,
  markdown: (workCtx: Context) => Promise<string>,
): Promise<Block[] | undefined> {
  const cached = described.get(key);
  if (cached) return cached.blocks;
  return describing.join(ctx, key, async (workCtx) => {
    const blocks = await readDescription(workCtx, organizationId, await markdown(workCtx));
    described.set(key, { blocks });
    return blocks;
  });
}

/** Keys and anchors begin with the key of the block that is replaced, so that a page can show several operations. */
function rekeyed<Node extends AnyNode>(node: Node, prefix: string): Node {
  const copy = mapChildren(node, (child) => [rekeyed(child, prefix)]);
  const keyed = copy.key === undefined ? copy : { ...copy, key: `${prefix}-${copy.key}` };
  return 'meta' in keyed && keyed.meta
    ? { ...keyed, meta: { ...keyed.meta, id: `${prefix}-${keyed.meta.id}` } }
    : keyed;
}
