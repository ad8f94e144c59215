import { sql } from 'kysely';
import type { JsonObject } from '../../../lib/canonical.ts';
import type { NewNode, NodeTimes, StoredNode, TreeNode } from '../../../lib/tree/node.ts';
import type { NodeSource } from '../../../lib/tree/source.ts';
import type { Context } from '../../../platform/context/context.ts';
import { readStored } from '../../../platform/database/replicas/read-stored.ts';
import type { Database, Row } from '../../../platform/database/tables.ts';
import { batchLoader } from '../../../platform/reads/loader.ts';
import { toBytes, toHex } from '../revisions/index.ts';

/** A row with `nodeColumns`. */
export interface NodeRow
  extends Pick<
    Row<'page_node'>,
    'hash' | 'kind' | 'pageId' | 'fields' | 'documentHash' | 'sourceHash' | 'createdAt' | 'updatedAt' | 'updatedBy'
  > {
  /** Hashes as PostgreSQL prints them (`\x…`), separated by commas. */
  children: string;
}

/**
 * The columns of a node `n`, apart from its place in a head. The children are one text, because the driver reads an
 * array character by character, which took most of the time of reading a large tree.
 */
export const nodeColumns = sql`n.hash, n.kind, n.page_id, n.fields, n.document_hash, n.source_hash, array_to_string(n.children, ',') as children,
  n.created_at, n.updated_at, n.updated_by`;

/** Reads page nodes of an organization by hash with one statement per call. */
export const nodeSource =
  (db: Database, organizationId: string): NodeSource =>
  async (hashes) => {
    const { rows } = await sql<NodeRow>`
      select ${nodeColumns} from page_node n
      where n.organization_id = ${organizationId} and n.hash = any(${hashes.map(toBytes)}::bytea[])`.execute(db);
    return new Map(rows.map((row) => [toHex(row.hash), nodeOf(row)]));
  };

/** Reads page nodes with a loader, so that trees that are read at the same time share statements. */
export const nodeLoader =
  (ctx: Context, organizationId: string): NodeSource =>
  async (hashes) => {
    const nodes = await Promise.all(hashes.map((hash) => loadNode(ctx, `${organizationId}/${hash}`)));
    return new Map(hashes.flatMap((hash, index) => (nodes[index] === undefined ? [] : [[hash, nodes[index]]])));
  };

const loadNode = batchLoader<StoredNode>('page-node', (ctx, keys) => readStored(ctx, keys, readNodes));

async function readNodes(db: Database, keys: string[]): Promise<Map<string, StoredNode>> {
  const [organizationIds, hashes] = [keys.map((key) => key.split('/')[0]), keys.map((key) => key.split('/')[1])];
  const { rows } = await sql<NodeRow & { key: string }>`
    select w.organization_id || '/' || w.hash as key, ${nodeColumns}
    from unnest(${organizationIds}::text[], ${hashes}::text[]) as w(organization_id, hash)
    join page_node n on n.organization_id = w.organization_id and n.hash = decode(w.hash, 'hex')`.execute(db);
  return new Map(rows.map(({ key, ...row }) => [key, nodeOf(row)]));
}

/** A node in its representation in memory. */
export function nodeOf(row: NodeRow): StoredNode {
  const { kind, pageId, fields, documentHash, sourceHash, children } = row;
  const hashes = {
    ...(documentHash && { documentHash: toHex(documentHash) }),
    ...(sourceHash && { sourceHash: toHex(sourceHash) }),
  };
  const times: NodeTimes = { createdAt: row.createdAt, updatedAt: row.updatedAt, updatedBy: row.updatedBy };
  const content = kind === 'root' ? { kind } : { kind, pageId, fields, ...hashes };
  // The row was written from a TreeNode, whose kind determines the type of its fields.
  const node = { ...content, children: hashesIn(children) } as unknown as TreeNode;
  return { ...node, ...times };
}

const PREFIX = '\\x';

const hashesIn = (children: string): string[] =>
  children === '' ? [] : children.split(',').map((hash) => hash.slice(PREFIX.length));

/** Stores new nodes in the order of their hashes, so that concurrent writers cannot deadlock. */
export async function writeNodes(ctx: Context, organizationId: string, nodes: readonly NewNode[]): Promise<void> {
  if (nodes.length === 0) return;
  const sorted = nodes.toSorted((a, b) => (a.hash < b.hash ? -1 : 1));
  const pages = sorted.map((node) => ({
    hash: node.hash,
    kind: node.kind,
    pageId: node.kind === 'root' ? null : node.pageId,
    fields: node.kind === 'root' ? {} : (node.fields as unknown as JsonObject), // plain JSON, depending on the kind
    documentHash: node.kind === 'root' ? null : (node.documentHash ?? null),
    sourceHash: node.kind === 'root' ? null : (node.sourceHash ?? null),
    children: node.children,
    createdAt: node.createdAt,
    updatedAt: node.updatedAt,
    updatedBy: node.updatedBy,
  }));
  // All rows are one parameter, because a statement is limited to 65,535 parameters and imports have more values.
  await sql`
    insert into page_node (organization_id, hash, kind, page_id, fields, document_hash, source_hash, children, created_at, updated_at, updated_by)
    select ${organizationId}, decode(n.hash, 'hex'), n.kind, n."pageId", n.fields, decode(n."documentHash", 'hex'), decode(n."sourceHash", 'hex'),
      (select coalesce(array_agg(decode(c.hash, 'hex') order by c.place), '{}') from json_array_elements_text(n.children) with ordinality c(hash, place)),
      n."createdAt", n."updatedAt", n."updatedBy"
    from json_to_recordset(${JSON.stringify(pages)}::json) as n(hash text, kind text, "pageId" text, fields json, "documentHash" text,
      "sourceHash" text, children json, "createdAt" timestamptz, "updatedAt" timestamptz, "updatedBy" text)
    on conflict do nothing`.execute(ctx.db);
}
