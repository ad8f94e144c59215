import type { Json, JsonObject } from '../../../lib/canonical.ts';
import type { ManifestEntry } from '../../../lib/tree/manifest.ts';
import type { LoadedPage } from '../../../lib/tree/rows.ts';
import { documentId } from '../../../platform/ids.ts';
import { layoutOf } from '../../content/pages/index.ts';
import { toBytes } from '../../store/revisions/index.ts';

/** A field before and after; null where a version has none. */
export interface FieldChange {
  name: string;
  before: Json;
  after: Json;
}

/** The fields of a page that differ. The body is named by its document's id. */
export const pageFieldChanges = (fields: readonly string[], before: LoadedPage, after: LoadedPage): FieldChange[] =>
  fields.map((name) => ({ name, before: fieldOf(before, name), after: fieldOf(after, name) }));

function fieldOf({ kind, documentHash, node }: LoadedPage, name: string): Json {
  if (name === 'document') return documentHash === null ? null : documentId(toBytes(documentHash));
  if (name === 'kind') return kind;
  const fields = node.fields as unknown as JsonObject; // plain JSON of its kind
  const value = fields[name] ?? null;
  if (name === 'layout') return layoutOf((value ?? undefined) as JsonObject | undefined);
  return name === 'cover' && value !== null ? { yPos: 0, ...(value as JsonObject) } : value; // an object when it is there
}

/** Members of entries that are told in another form, or not at all. */
const NOT_SHOWN = ['id', 'blob', 'width', 'height', 'documentHash'];

/** The members of a file or a reusable content that differ, as they are kept: what is derived is added by who shows it. */
export function entryFieldChanges(before: ManifestEntry, after: ManifestEntry): FieldChange[] {
  const [was, is] = [before, after].map((entry) => entry as unknown as JsonObject); // entries are plain JSON
  if (!was || !is) return [];
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter((name) => !NOT_SHOWN.includes(name));
  const changed = names.filter((name) => was[name] !== is[name]);
  return changed.map((name) => ({ name, before: was[name] ?? null, after: is[name] ?? null }));
}

/** The hash of an entry's body; null when it is empty. */
export function bodyOfEntry(entry: ManifestEntry): string | null {
  const { documentHash } = entry as { documentHash?: unknown }; // probing one member
  return typeof documentHash === 'string' ? documentHash : null;
}
