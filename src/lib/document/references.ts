import type { ContentRef } from './content-ref.ts';
import type { AnyNode, Block, JSONDocument, TableData } from './document.ts';
import { walk } from './walk.ts';

export type ReferenceRelation = 'reference' | 'dependsOn';

export interface ContentReference {
  ref: ContentRef;
  /** `dependsOn` for what is shown in place (reusable contents, API specifications), else `reference`. */
  relation: ReferenceRelation;
  /** The key of the nearest block around, null only for nodes without key. */
  blockKey: string | null;
}

const dependent: readonly string[] = [
  'reusable-content',
  'swagger',
  'openapi-operation',
  'openapi-schemas',
  'openapi-webhook',
];

const media: readonly string[] = ['image', 'inline-image', 'swagger'];

/** Every content reference of a document in reading order, repeated ones repeated. */
export function referencesOf(document: JSONDocument): ContentReference[] {
  const found: ContentReference[] = [];
  walk(document, (node, around) => {
    const block = node.object === 'block' ? node : around;
    const relation = 'type' in node && dependent.includes(node.type ?? '') ? 'dependsOn' : 'reference';
    const note = (ref: ContentRef): ContentRef => {
      found.push({ ref, relation, blockKey: block?.key ?? null });
      return ref;
    };
    mapNodeRefs(node, note);
  });
  return found;
}

/** What replaces a reference. Where `isMedia`, which is for pictures and API descriptions, only files and addresses can. */
type Change = (ref: ContentRef, isMedia: boolean) => ContentRef;

/** The document with each reference replaced by what `change` makes of it; shares what did not change. */
export function mapReferences(document: JSONDocument, change: Change): JSONDocument {
  return mapped(document, change);
}

/** Recreates only the nodes on the way to a changed reference. */
function mapped<T extends JSONDocument | AnyNode>(node: T, change: Change): T {
  const own = node.object === 'document' ? node : mapNodeRefs(node as AnyNode, change); // all but documents are nodes
  const copy: Record<string, unknown> = {};
  for (const member of ['nodes', 'fragments'] as const) {
    const before = (own as { [name in typeof member]?: AnyNode[] })[member]; // present on some nodes only
    const after = before?.map((child) => mapped(child, change));
    if (before && after?.some((child, i) => child !== before[i])) copy[member] = after;
  }
  return (Object.keys(copy).length > 0 ? { ...own, ...copy } : own) as T; // the same node with members of the same types
}

function mapNodeRefs(node: AnyNode, change: Change): AnyNode {
  if (node.object !== 'block' && node.object !== 'inline') return node;
  const isMedia = media.includes(node.type);
  const changes: Record<string, unknown> = {};
  for (const name of ['ref', 'refDark'] as const) {
    const ref = (node.data as { [name in typeof name]?: ContentRef })[name]; // some types have it, always a reference
    const next = ref && change(ref, isMedia);
    if (next !== ref) changes[name] = next;
  }
  if (node.type === 'table') {
    const records = mapRecords(node.data, change);
    if (records !== node.data.records) changes.records = records;
  }
  if (Object.keys(changes).length === 0) return node;
  return { ...node, data: { ...node.data, ...changes } } as Block; // replaced by values of the same types
}

function mapRecords(data: TableData, change: Change): TableData['records'] {
  let isSame = true;
  const records = Object.entries(data.records).map(([id, record]) => {
    const values = Object.entries(record.values).map(([column, value]) => {
      const next = mapValue(data.definition[column]?.type, value, change);
      isSame &&= next === value;
      return [column, next];
    });
    return [id, { ...record, values: Object.fromEntries(values) }];
  });
  return isSame ? data.records : Object.fromEntries(records);
}

/** Cells of three kinds hold references: content references, pictures, and the bare ids of files and users. */
function mapValue(column: string | undefined, value: unknown, change: Change): unknown {
  if (Array.isArray(value) && column === 'files') return mapIds(value, (file) => ({ kind: 'file', file }), change);
  if (Array.isArray(value) && column === 'users') return mapIds(value, (user) => ({ kind: 'user', user }), change);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  if ('kind' in value) return change(value as ContentRef, column !== 'content-ref'); // checked: objects in cells are references or pictures
  if (!('ref' in value)) return value;
  const ref = change(value.ref as ContentRef, true);
  return ref === value.ref ? value : { ...value, ref };
}

function mapIds(ids: readonly unknown[], toRef: (id: string) => ContentRef, change: Change): unknown {
  const next = ids.map((id) => {
    const ref = change(toRef(String(id)), true);
    if (ref.kind === 'file') return ref.file;
    return ref.kind === 'user' ? ref.user : id;
  });
  return next.every((id, i) => id === ids[i]) ? ids : next;
}
