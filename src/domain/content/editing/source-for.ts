import type { PageContent } from '../../../lib/tree/node.ts';
import type { Context } from '../../../platform/context.ts';
import { loadSource, type PreparedSource, prepareSource, type ReadBody } from '../../store/bodies/index.ts';
import type { RevisionRow } from '../../store/revisions/index.ts';
import { findPage } from '../../store/trees/index.ts';
import { showMarkdown } from '../rendering/index.ts';

/** A page before it is written; without one, the page is new. */
interface Place {
  revision: RevisionRow;
  page: PageContent | undefined;
  /** Texts that this edit wrote, by hash. */
  known: ReadonlyMap<string, PreparedSource>;
}

/** A body that was read from Markdown. */
interface Written {
  source: NonNullable<ReadBody['source']>;
  documentHash: string;
  /** The Markdown that is printed for it. */
  printed: string;
}

/**
 * The text to store for a body in Markdown: null if it is what is printed anyway, undefined to keep the text that the
 * page has, because it was written back as it is read.
 */
export async function sourceFor(
  ctx: Context,
  { revision, page, known }: Place,
  { source, documentHash, printed }: Written,
): Promise<PreparedSource | null | undefined> {
  if (page?.documentHash === documentHash && (await isShown(ctx, revision, page, source.body))) return undefined;
  const before =
    page?.sourceHash === undefined
      ? undefined
      : (known.get(page.sourceHash) ?? (await loadSource(ctx, revision.organizationId, page.sourceHash)));
  const head = before?.head ?? '';
  // Clients often leave out the last line break.
  if (head === '' && (printed === source.body || printed === `${source.body}\n`)) return null;
  return prepareSource({ ...source, head, document: documentHash }) ?? null;
}

/** Whether a text is the Markdown of a page as it is read, in one of the forms of links. */
async function isShown(
  ctx: Context,
  revision: RevisionRow,
  { pageId, documentHash, sourceHash }: PageContent,
  markdown: string,
): Promise<boolean> {
  const page = await findPage(ctx, revision, { pageId });
  if (page?.node.kind !== 'document' || page.node.documentHash !== documentHash) return false;
  if (page.node.sourceHash !== sourceHash) return false;
  const of = { revision, documentHash: page.documentHash, sourceHash: sourceHash ?? null, path: page.path };
  for (const references of ['stable', 'relative', 'written'] as const) {
    const reading = { evaluated: 'false', dereferenced: 'false', references } as const;
    if ((await showMarkdown(ctx, of, reading)) === markdown) return true;
  }
  return false;
}
