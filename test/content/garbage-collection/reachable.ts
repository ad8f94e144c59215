import { sql } from 'kysely';
import type { Database } from '../../../src/platform/database/tables.ts';

interface Content {
  page_node: Map<string, { children: Buffer[]; documentHash: Buffer | null }>;
  manifest_node: Map<string, { body: { entries?: Record<string, unknown>[]; children?: ({ hash: string } | null)[] } }>;
  document: Map<string, unknown>;
  blob: Map<string, unknown>;
}

export type Hashes = Record<keyof Content, string[]>;

const TABLES = ['page_node', 'manifest_node', 'document', 'blob'] as const;

async function contentOf(db: Database, organizationId: string): Promise<Content> {
  const read = async (table: string) => {
    const { rows } = await sql<{ hash: Buffer }>`
      select * from ${sql.table(table)} where organization_id = ${organizationId}`.execute(db);
    return new Map(rows.map((row) => [row.hash.toString('hex'), row as never]));
  };
  const tables = await Promise.all(TABLES.map(read));
  return Object.fromEntries(TABLES.map((name, index) => [name, tables[index]])) as unknown as Content; // in this order
}

/** The stored content of an organization. */
export async function stored(db: Database, organizationId: string): Promise<Hashes> {
  const content = await contentOf(db, organizationId);
  return Object.fromEntries(TABLES.map((name) => [name, [...content[name].keys()].sort()])) as Hashes;
}

/** The content that its revisions and uploads reach, computed in memory. Throws if any of it is missing. */
export async function reachable(db: Database, organizationId: string): Promise<Hashes> {
  const content = await contentOf(db, organizationId);
  const seen = { page_node: new Set(), manifest_node: new Set(), document: new Set(), blob: new Set() } as Record<
    keyof Content,
    Set<string>
  >;
  const reach = <Name extends keyof Content>(table: Name, hash: string) => {
    const row = content[table].get(hash);
    if (row === undefined) throw new Error(`${table} ${hash} is reached and gone.`);
    seen[table].add(hash);
    return row;
  };
  const walkPages = (hash: string) => {
    const { children, documentHash } = reach('page_node', hash) as {
      children: Buffer[];
      documentHash: Buffer | null;
    };
    if (documentHash) reach('document', documentHash.toString('hex'));
    for (const child of children) walkPages(child.toString('hex'));
  };
  const walkManifest = (hash: string) => {
    const { body } = reach('manifest_node', hash) as Content['manifest_node'] extends Map<string, infer Row>
      ? Row
      : never;
    for (const child of body.children ?? []) if (child) walkManifest(child.hash);
    for (const { blob, documentHash } of body.entries ?? []) {
      if (typeof blob === 'string') reach('blob', blob);
      if (typeof documentHash === 'string') reach('document', documentHash);
    }
  };
  const revisions = await db.selectFrom('revision').where('organizationId', '=', organizationId).selectAll().execute();
  for (const revision of revisions) {
    walkPages(revision.rootHash.toString('hex'));
    const manifests = [revision.filesHash, revision.reusableContentsHash, revision.variablesHash, revision.tagsHash];
    for (const hash of manifests) if (hash) walkManifest(hash.toString('hex'));
  }
  const uploads = await db.selectFrom('upload').where('organizationId', '=', organizationId).selectAll().execute();
  for (const { blobHash } of uploads) if (blobHash) reach('blob', blobHash.toString('hex'));
  return Object.fromEntries(TABLES.map((name) => [name, [...seen[name]].sort()])) as Hashes;
}
