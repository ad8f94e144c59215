import { sql } from 'kysely';
import type { ManifestEntry, ManifestNode, ManifestSource } from '../../../lib/tree/manifest.ts';
import type { NewManifestNode } from '../../../lib/tree/manifest-edit.ts';
import type { Context } from '../../../platform/context/context.ts';
import { readStored } from '../../../platform/database/replicas/read-stored.ts';
import type { Database } from '../../../platform/database/tables.ts';
import { batchLoader } from '../../../platform/reads/loader.ts';

/** Reads manifest nodes of an organization by hash with one statement per call. */
export const manifestSource =
  <Entry extends ManifestEntry>(db: Database, organizationId: string): ManifestSource<Entry> =>
  async (hashes) => {
    const rows = await readNodes(
      db,
      hashes.map((hash) => ({ organizationId, hash })),
    );
    // The content of a hash has the type that was written for it.
    return new Map(rows.map(({ hash, body }) => [hash, body as ManifestNode<Entry>]));
  };

/** Reads manifest nodes with a loader, so that manifests that are read at the same time share statements. */
export const manifestLoader =
  <Entry extends ManifestEntry>(ctx: Context, organizationId: string): ManifestSource<Entry> =>
  async (hashes) => {
    const nodes = await Promise.all(hashes.map((hash) => loadNode(ctx, keyOf({ organizationId, hash }))));
    const pairs = hashes.flatMap((hash, index) => (nodes[index] === undefined ? [] : [[hash, nodes[index]] as const]));
    return new Map(pairs as [string, ManifestNode<Entry>][]); // see above
  };

/** Stores new nodes in the order of their hashes, like `writeNodes`. */
export async function writeManifestNodes<Entry extends ManifestEntry>(
  ctx: Context,
  organizationId: string,
  nodes: readonly NewManifestNode<Entry>[],
): Promise<void> {
  if (nodes.length === 0) return;
  const sorted = nodes.toSorted((a, b) => (a.hash < b.hash ? -1 : 1)).map(({ hash, ...body }) => ({ hash, body }));
  await sql`
    insert into manifest_node (organization_id, hash, body)
    select ${organizationId}, decode(n.hash, 'hex'), n.body
    from json_to_recordset(${JSON.stringify(sorted)}::json) as n(hash text, body json)
    on conflict do nothing`.execute(ctx.db);
}

interface NodeKey {
  organizationId: string;
  hash: string;
}

const keyOf = ({ organizationId, hash }: NodeKey) => `${organizationId}/${hash}`;

const loadNode = batchLoader<unknown>('manifest-node', (ctx, keys) => readStored(ctx, keys, readByKey));

async function readByKey(db: Database, keys: string[]): Promise<Map<string, unknown>> {
  const nodeKeys = keys.map((key) => {
    const [organizationId = '', hash = ''] = key.split('/');
    return { organizationId, hash };
  });
  return new Map((await readNodes(db, nodeKeys)).map((row) => [keyOf(row), row.body]));
}

async function readNodes(db: Database, keys: readonly NodeKey[]): Promise<(NodeKey & { body: unknown })[]> {
  const { rows } = await sql<NodeKey & { body: unknown }>`
    select k.organization_id as "organizationId", k.hash, n.body
    from unnest(${keys.map(({ organizationId }) => organizationId)}::text[], ${keys.map(({ hash }) => hash)}::text[])
      as k(organization_id, hash)
    join manifest_node n on n.organization_id = k.organization_id and n.hash = decode(k.hash, 'hex')`.execute(db);
  return rows;
}
