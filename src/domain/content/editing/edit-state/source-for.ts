import type { Context } from '../../../../platform/context/context.ts';
import { loadSource } from '../../../store/bodies/index.ts';
import { type PreparedSource, prepareSource, type ValidatedBody } from '../../../store/prepared-bodies/index.ts';
import type { RevisionRow } from '../../../store/revisions/index.ts';
import { findVisiblePage } from '../../../store/trees/index.ts';
import { renderMarkdown } from '../../rendering/index.ts';

/** A body before it is written; without one, the page or reusable content is new. */
interface Place {
  revision: RevisionRow;
  before: { documentHash?: string; sourceHash?: string; pageId?: string } | undefined;
  /** Texts that this edit wrote, by hash. */
  newSources: ReadonlyMap<string, PreparedSource>;
}

/** A body that was read from Markdown. */
interface Written {
  source: NonNullable<ValidatedBody['source']>;
  documentHash: string;
  /** The Markdown that is printed for it. */
  printed: string;
}

/**
 * The text to store for a body in Markdown: null if it equals the printed text, undefined to keep the stored text,
 * because it was written back as it was read.
 */
export async function sourceFor(
  ctx: Context,
  { revision, before: place, newSources }: Place,
  { source, documentHash, printed }: Written,
): Promise<PreparedSource | null | undefined> {
  if (place?.documentHash === documentHash && (await isShown(ctx, revision, place, source.body))) return undefined;
  const before =
    place?.sourceHash === undefined
      ? undefined
      : (newSources.get(place.sourceHash) ?? (await loadSource(ctx, revision.organizationId, place.sourceHash)));
  const head = before?.head ?? '';
  // Clients often leave out the last line break.
  if (head === '' && (printed === source.body || printed === `${source.body}\n`)) return null;
  return prepareSource({ ...source, head, document: documentHash }) ?? null;
}

/** Whether a text is the Markdown of a body as it is read, in one of the forms of links. */
async function isShown(
  ctx: Context,
  revision: RevisionRow,
  { pageId, documentHash, sourceHash }: NonNullable<Place['before']>,
  markdown: string,
): Promise<boolean> {
  const page = pageId === undefined ? undefined : await findVisiblePage(ctx, revision, { pageId });
  const isStored =
    pageId === undefined ||
    (page?.node.kind === 'document' && page.node.documentHash === documentHash && page.node.sourceHash === sourceHash);
  if (!isStored) return false;
  const of = {
    revision,
    documentHash: documentHash ?? null,
    sourceHash: sourceHash ?? null,
    path: page?.path ?? null,
  };
  for (const references of ['stable', 'paths', 'relative', 'written'] as const) {
    const reading = { evaluated: 'false', dereferenced: 'false', references } as const;
    if ((await renderMarkdown(ctx, of, reading)) === markdown) return true;
  }
  return false;
}
