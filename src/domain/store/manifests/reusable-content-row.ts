import { emptyDocument } from '../../../lib/document/empty.ts';
import { getEntries, readManifest } from '../../../lib/tree/manifest.ts';
import type { StoredSource } from '../../../lib/tree/node.ts';
import type { Context } from '../../../platform/context/context.ts';
import { loadDocument, type StoredDocument } from '../bodies/index.ts';
import { type RevisionRow, toHex } from '../revisions/index.ts';
import { manifestLoader } from './manifest-source.ts';

/** A reusable content in the manifest of a revision: a body that pages include. */
export interface ReusableContentEntry {
  /** `reusable_…`, the same in all revisions. */
  id: string;
  title: string;
  /** SHA-256 of the body in hexadecimal; absent if the body is empty. */
  documentHash?: string;
  /** SHA-256 in hexadecimal of the Markdown that the body was written as; absent if that is what is printed for it. */
  sourceHash?: string;
  /** Source that the body is computed from. Such a content has no stored body. */
  computed?: StoredSource;
}

/** A reusable content of a revision. */
export interface ReusableContentRow extends ReusableContentEntry {
  revisionId: string;
  organizationId: string;
  /** Set if the content is read as its source. */
  isUncomputed?: true;
}

/** A revision whose computed contents are read as their sources, if `isUncomputed` is set. */
export type RevisionOfContents = RevisionRow & Pick<ReusableContentRow, 'isUncomputed'>;

/** Root of the manifest of reusable contents of a revision; null if it has none. */
export const reusableContentsHashOf = ({ reusableContentsHash }: RevisionRow): string | null =>
  reusableContentsHash && toHex(reusableContentsHash);

export const reusableContentsSource = (ctx: Context, { organizationId }: RevisionRow) =>
  manifestLoader<ReusableContentEntry>(ctx, organizationId);

/** All reusable contents of a revision, ordered by id, and therefore by creation. */
export async function readReusableContents(ctx: Context, revision: RevisionOfContents): Promise<ReusableContentRow[]> {
  const entries = await readManifest(reusableContentsHashOf(revision), reusableContentsSource(ctx, revision));
  return entries.map((entry) => rowOf(entry, revision));
}

/** The reusable contents of a revision with these ids. Reads the paths to their entries, not the whole manifest. */
export async function reusableContentsIn(
  ctx: Context,
  revision: RevisionOfContents,
  ids: readonly string[],
): Promise<Map<string, ReusableContentRow>> {
  const entries = await getEntries(reusableContentsHashOf(revision), reusableContentsSource(ctx, revision), ids);
  return new Map([...entries].map(([id, entry]) => [id, rowOf(entry, revision)]));
}

/** The body in both forms; an empty document if there is none. */
export async function reusableContentBody(
  ctx: Context,
  { organizationId, documentHash }: ReusableContentRow,
): Promise<StoredDocument> {
  if (documentHash === undefined) return { body: emptyDocument(), markdown: '' };
  return loadDocument(ctx, organizationId, documentHash);
}

const rowOf = (
  entry: ReusableContentEntry,
  { id, organizationId, isUncomputed }: RevisionOfContents,
): ReusableContentRow => ({
  ...entry,
  revisionId: id,
  organizationId,
  ...(isUncomputed && { isUncomputed }),
});
