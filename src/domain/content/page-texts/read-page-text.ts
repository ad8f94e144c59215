import type { JSONDocument } from '../../../lib/document/document.ts';
import { emptyDocument } from '../../../lib/document/empty.ts';
import { versionOfText } from '../../../lib/document/markdown/edit/outline-text.ts';
import type { Context } from '../../../platform/context/context.ts';
import { loadDocument, loadSource } from '../../store/bodies/index.ts';
import type { PreparedDocument, PreparedSource } from '../../store/prepared-bodies/index.ts';
import type { RevisionRow } from '../../store/revisions/index.ts';
import { findVisiblePage } from '../../store/trees/index.ts';
import { type WrittenForm, writtenForm } from '../rendering/index.ts';

/** The hashes of a page's body and of the text that it was written as. */
export interface BodyHashes {
  documentHash?: string | null | undefined;
  sourceHash?: string | null | undefined;
}

/** Bodies and texts of an edit that are not stored yet, by hash. */
export interface Unstored {
  documents: ReadonlyMap<string, PreparedDocument>;
  sources: ReadonlyMap<string, PreparedSource>;
}

/** The body of a page with its text in the form `written`, for edits of the text. */
export interface PageText extends WrittenForm, BodyHashes {
  pageId: string;
  document: JSONDocument;
  version: string;
}

const NOTHING: Unstored = { documents: new Map(), sources: new Map() };

/**
 * Reads the body of a page with its text. `revision` is the one that the edit is based on. `path` is needed for pages
 * that it does not have.
 */
export async function readPageText(
  ctx: Context,
  revision: RevisionRow,
  { pageId, documentHash, sourceHash, path }: BodyHashes & { pageId: string; path?: string | undefined },
  { documents, sources }: Unstored = NOTHING,
): Promise<PageText> {
  const hashes = { pageId, documentHash, sourceHash };
  if (documentHash == null) {
    return { ...hashes, document: emptyDocument(), text: '', version: versionOfText(''), targets: {}, links: {} };
  }
  const { organizationId } = revision;
  const { body, markdown } = documents.get(documentHash) ?? (await loadDocument(ctx, organizationId, documentHash));
  const text =
    sourceHash == null ? undefined : (sources.get(sourceHash) ?? (await loadSource(ctx, organizationId, sourceHash)));
  const form = await writtenForm(ctx, revision, {
    organizationId,
    documentHash,
    body,
    markdown,
    path: path ?? (await findVisiblePage(ctx, revision, { pageId }))?.path ?? '',
    ...(text && sourceHash != null && { source: { ...text, hash: sourceHash } }),
  });
  return { ...hashes, ...form, document: body, version: versionOfText(form.text) };
}
