import { canonicalJson, type Json, type JsonObject } from '../../../lib/canonical.ts';
import type { ManifestEntry } from '../../../lib/tree/manifest.ts';
import type { LoadedPage } from '../../../lib/tree/rows.ts';
import type { Actor } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context/context.ts';
import { documentId } from '../../../platform/ids/ids.ts';
import { sourceSeenBy } from '../../content/computed-sources/index.ts';
import { layoutOf } from '../../content/pages/index.ts';
import { toBytes } from '../../store/revisions/index.ts';

/** A field in two revisions. Null where a revision has no value. */
export interface FieldChange {
  name: string;
  before: Json;
  after: Json;
}

/**
 * Values of the fields of a page that differ, as the caller sees them. The value of `document` is the id of the body's
 * document.
 */
export const pageFieldChanges = (
  { actor }: Pick<Context, 'actor'>,
  fields: readonly string[],
  before: LoadedPage,
  after: LoadedPage,
): FieldChange[] =>
  fields.map((name) => ({ name, before: fieldOf(actor, before, name), after: fieldOf(actor, after, name) }));

function fieldOf(actor: Actor, { kind, documentHash, node }: LoadedPage, name: string): Json {
  if (name === 'document') return documentHash === null ? null : documentId(toBytes(documentHash));
  if (name === 'kind') return kind;
  const fields = node.fields as unknown as JsonObject; // plain JSON of its kind
  const value = fields[name] ?? null;
  if (name === 'computed') return sourceSeenBy(actor, value as JsonObject | null); // an object if not null
  if (name === 'layout') return layoutOf((value ?? undefined) as JsonObject | undefined);
  return name === 'cover' && value !== null ? { yPos: 0, ...(value as JsonObject) } : value; // an object if not null
}

/** Properties of entries that are internal or shown in another form. */
const NOT_SHOWN = ['id', 'blob', 'width', 'height', 'documentHash', 'sourceHash'];

/** Stored properties of a file or reusable content that differ. Does not include the body. */
export function entryFieldChanges(before: ManifestEntry, after: ManifestEntry): FieldChange[] {
  const [was, is] = [before, after].map((entry) => entry as unknown as JsonObject); // entries are plain JSON
  if (!was || !is) return [];
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter((name) => !NOT_SHOWN.includes(name));
  const changed = names.filter((name) => canonicalJson(was[name] ?? null) !== canonicalJson(is[name] ?? null));
  return changed.map((name) => ({ name, before: was[name] ?? null, after: is[name] ?? null }));
}

/** Hash of the body of an entry. Null if it is empty. */
export function bodyOfEntry(entry: ManifestEntry): string | null {
  const { documentHash } = entry as { documentHash?: unknown }; // checked below
  return typeof documentHash === 'string' ? documentHash : null;
}
