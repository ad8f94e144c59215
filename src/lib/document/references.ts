import type { ContentRef } from './content-ref.ts';
import type { AnyNode, Block, JSONDocument, TableData } from './document.ts';
import { walk } from './walk.ts';

export type ReferenceRelation = 'reference' | 'dependsOn';

export interface BodyReference {
  ref: ContentRef;
  /**
   * `dependsOn` for content that is shown in place (reusable contents, OpenAPI specifications), otherwise `reference`.
   */
  relation: ReferenceRelation;
  /** Key of the nearest enclosing block; null only for nodes without a key. */
  blockKey: string | null;
  /** Part of an OpenAPI specification that a block shows: `path get /pets`, `webhook post petBorn`. */
  operation?: string;
}

const dependent: readonly string[] = [
  'reusable-content',
  'swagger',
  'openapi-operation',
  'openapi-schemas',
  'openapi-webhook',
];

const media: readonly string[] = ['image', 'inline-image', 'swagger'];

/** All content references of a document in reading order, including duplicates. */
export function referencesOf(document: JSONDocument): BodyReference[] {
  const references: BodyReference[] = [];
  walk(document, (node, around) => {
    const block = node.object === 'block' ? node : around;
    const relation = 'type' in node && dependent.includes(node.type ?? '') ? 'dependsOn' : 'reference';
    const note = (ref: ContentRef): ContentRef => {
      references.push({ ref, relation, blockKey: block?.key ?? null, ...operationIn(node) });
      return ref;
    };
    mapNodeRefs(node, note);
  });
  return references;
}

/** The content references of a node itself, without those of the nodes below it. */
export function nodeReferences(node: AnyNode): ContentRef[] {
  const refs: ContentRef[] = [];
  mapNodeRefs(node, (ref) => {
    refs.push(ref);
    return ref;
  });
  return refs;
}

function operationIn(node: JSONDocument | AnyNode): { operation?: string } {
  if (node.object !== 'block') return {};
  if (node.type === 'openapi-operation')
    return { operation: `path ${node.data.method.toLowerCase()} ${node.data.path}` };
  if (node.type === 'openapi-webhook')
    return { operation: `webhook ${node.data.method.toLowerCase()} ${node.data.name}` };
  return {};
}

/**
 * The replacement of a reference. With `isMedia`, for images and OpenAPI descriptions, only files and URLs are allowed.
 */
type Change = (ref: ContentRef, isMedia: boolean) => ContentRef;

/** Replaces each reference with the result of `change`. Unchanged parts are shared. */
export function mapReferences(document: JSONDocument, change: Change): JSONDocument {
  return mapped(document, change);
}

/** Only recreates the ancestors of changed references. */
function mapped<T extends JSONDocument | AnyNode>(node: T, change: Change): T {
  const base = node.object === 'document' ? node : mapNodeRefs(node as AnyNode, change); // everything but documents is a node
  const copy: Record<string, unknown> = {};
  for (const member of ['nodes', 'fragments'] as const) {
    const before = (base as { [name in typeof member]?: AnyNode[] })[member]; // some nodes have none
    const after = before?.map((child) => mapped(child, change));
    if (before && after?.some((child, i) => child !== before[i])) copy[member] = after;
  }
  return (Object.keys(copy).length > 0 ? { ...base, ...copy } : base) as T; // the same node with properties of the same types
}

function mapNodeRefs(node: AnyNode, change: Change): AnyNode {
  if (node.object !== 'block' && node.object !== 'inline') return node;
  const isMedia = media.includes(node.type);
  const changes: Record<string, unknown> = {};
  for (const name of ['ref', 'refDark'] as const) {
    const ref = (node.data as { [name in typeof name]?: ContentRef })[name]; // always a reference in types that have it
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

/** Three kinds of cells contain references: content references, images, and plain ids of files and users. */
function mapValue(column: string | undefined, value: unknown, change: Change): unknown {
  if (Array.isArray(value) && column === 'files') return mapIds(value, (file) => ({ kind: 'file', file }), change);
  if (Array.isArray(value) && column === 'users') return mapIds(value, (user) => ({ kind: 'user', user }), change);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  if ('kind' in value) return change(value as ContentRef, column !== 'content-ref'); // validated: objects in cells are references or images
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
