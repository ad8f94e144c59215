import type { Json, JsonObject } from '../canonical.ts';
import type { ManifestEntry, ManifestSource } from '../tree/manifest.ts';
import { diffManifests, type ManifestDifference } from '../tree/manifest-diff.ts';
import { editManifest, type NewManifestNode } from '../tree/manifest-edit.ts';
import type { BodyMerger } from './body-merger.ts';
import type { ConflictResolver, ConflictTarget } from './conflict.ts';
import { type Fields, mergeFields } from './merge-fields.ts';
import { mapThreeWay, pickSide, type ThreeWay } from './three-way.ts';

export interface MergedManifest {
  rootHash: string | null;
  newNodes: NewManifestNode<ManifestEntry>[];
}

/**
 * Merges three sets of entries by id, and each entry field by field. The bodies behind `documentHash` are merged by
 * `bodies.run()`; call `seal` after it. Reads only the entries that differ.
 */
export async function mergeManifest(
  roots: ThreeWay<string | null>,
  type: Exclude<ConflictTarget['type'], 'page'>,
  source: ManifestSource<ManifestEntry>,
  { resolver, bodies }: { resolver: ConflictResolver; bodies: BodyMerger },
): Promise<{ seal(): Promise<MergedManifest> }> {
  const side = pickSide(roots, (a, b) => a === b);
  if (side) return { seal: async () => ({ rootHash: roots[side], newNodes: [] }) };
  const ours = changesIn(await diffManifests<ManifestEntry>(roots.base, roots.ours, source));
  const theirs = changesIn(await diffManifests<ManifestEntry>(roots.base, roots.theirs, source));
  const edit = { put: new Map<string, JsonObject>(), remove: [] as string[] };
  for (const [id, us] of ours) {
    const versions = { base: us.before, ours: us.after, theirs: us.before, ...sideOf(theirs.get(id)) };
    const merged = mergeEntry({ type, id }, versions, resolver, bodies);
    if (merged) edit.put.set(id, merged);
    else edit.remove.push(id);
  }
  return {
    async seal() {
      const put = [...edit.put].map(([id, fields]) => ({ ...fields, id }));
      return editManifest<ManifestEntry>(roots.theirs, source, { put, remove: edit.remove });
    },
  };
}

interface Change {
  before: ManifestEntry | undefined;
  after: ManifestEntry | undefined;
}

function changesIn({ inserted, changed, removed }: ManifestDifference<ManifestEntry>): Map<string, Change> {
  return new Map([
    ...removed.map((before): [string, Change] => [before.id, { before, after: undefined }]),
    ...inserted.map((after): [string, Change] => [after.id, { before: undefined, after }]),
    ...changed.map((change): [string, Change] => [change.after.id, change]),
  ]);
}

const sideOf = (change: Change | undefined) => (change ? { theirs: change.after } : {});

/** The merged entry, or null if it is deleted. Its body is set when the bodies are merged. */
function mergeEntry(
  target: ConflictTarget,
  versions: ThreeWay<ManifestEntry | undefined>,
  resolver: ConflictResolver,
  bodies: BodyMerger,
): JsonObject | null {
  const fields = mapThreeWay(versions, (entry) => (entry ? fieldsOf(entry) : null));
  if (!versions.ours || !versions.theirs) return decideDeletion(target, versions, resolver);
  const merged = entryWith(mergeFields(fields, target, (conflict) => resolver.resolve(conflict)));
  bodies.add(
    target,
    mapThreeWay(versions, (entry) => ({ document: hashIn(entry, BODY), source: hashIn(entry, SOURCE) })),
    ({ document, source }) => {
      if (document === undefined) return;
      merged[BODY] = document;
      if (source !== undefined) merged[SOURCE] = source;
    },
  );
  return merged;
}

/**
 * Merges an entry that at least one side does not have: it is new, or was deleted, or was also edited, which is a
 * conflict.
 */
function decideDeletion(
  target: ConflictTarget,
  versions: ThreeWay<ManifestEntry | undefined>,
  resolver: ConflictResolver,
): JsonObject | null {
  const { base, ours, theirs } = versions;
  const survivor = ours ?? theirs;
  if (base === undefined || survivor === undefined) return survivor ? asJson(survivor) : null;
  if (ours === undefined && theirs === base) return null;
  const values = mapThreeWay(versions, (entry) => (entry ? { entry } : null));
  const side = resolver.choose({ kind: 'deleted-vs-edited', target, ...values });
  const chosen = side ? versions[side] : survivor;
  return chosen ? asJson(chosen) : null;
}

const BODY = 'documentHash';
const SOURCE = 'sourceHash';

/** The properties of the content of a file, which are merged as one field. */
const CONTENT: readonly string[] = ['blob', 'contentType', 'size', 'width', 'height'];

function fieldsOf(entry: ManifestEntry): Fields {
  const fields = new Map<string, Json>();
  const content: JsonObject = {};
  for (const [name, value] of Object.entries(asJson(entry))) {
    if (CONTENT.includes(name)) content[name] = value;
    else if (name !== 'id' && name !== BODY && name !== SOURCE) fields.set(name, value);
  }
  if (Object.keys(content).length > 0) fields.set('content', content);
  return fields;
}

function entryWith(fields: Fields): JsonObject {
  const { content, ...others } = Object.fromEntries(fields);
  return { ...others, ...(content as JsonObject | undefined) }; // made by `pageFieldValues`
}

function hashIn(entry: ManifestEntry | undefined, name: string): string | undefined {
  const hash = entry && asJson(entry)[name];
  return typeof hash === 'string' ? hash : undefined;
}

/** Entries of all kinds are plain JSON. */
const asJson = (entry: ManifestEntry): JsonObject => entry as unknown as JsonObject;
