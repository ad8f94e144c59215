import { hashOf } from '../../../../lib/canonical.ts';
import { makeYielder } from '../../../../lib/tick.ts';
import { assembleTree, type Branch, byLevel } from '../../../../lib/tree/assemble.ts';
import { editManifest, type NewManifestNode } from '../../../../lib/tree/manifest-edit.ts';
import { type NewNode, nodeHash, type StoredPage } from '../../../../lib/tree/node.ts';
import type { LoadedPage } from '../../../../lib/tree/rows.ts';
import { type Context, nowOf } from '../../../../platform/context/context.ts';
import { manifestSource, type ReusableContentEntry, readReusableContents } from '../../../store/manifests/index.ts';
import type { PreparedDocument } from '../../../store/prepared-bodies/index.ts';
import { type Content, contentIn, type RevisionRow, toHex } from '../../../store/revisions/index.ts';
import { loadWholeTree } from '../../../store/trees/index.ts';
import type { TranslationRow } from '../access.ts';
import { withTexts } from '../edits/page-texts.ts';
import {
  computedFields,
  computePages,
  inputHashOf,
  type PageComputing,
  type SourcePage,
  type TranslatedPage,
} from './compute-pages.ts';

/** The computed content of a translation, not stored yet. */
export interface ComputedContent {
  content: Content;
  newNodes: NewNode[];
  newManifestNodes: NewManifestNode<ReusableContentEntry>[];
  documents: PreparedDocument[];
  /** Pages that were translated in this run. The others are as they were. */
  translated: TranslatedPage[];
  /** Ids of all pages and reusable contents of the source. */
  pageIds: string[];
}

/** Result of an earlier run for a page. */
export type KnownPage = Pick<TranslatedPage, 'inputHash' | 'fields' | 'documentHash' | 'untranslatedSegments'>;

export interface ContentComputing extends PageComputing {
  translation: TranslationRow;
  /** The head of the source. */
  source: RevisionRow;
  /** Result of the latest run. */
  former: RevisionRow;
  /** Pages of earlier runs by id. */
  knownPages: ReadonlyMap<string, KnownPage>;
  /** Hash of the settings of the run. */
  settings: string;
  progress(counts: { total: number; done: number }): void;
}

/** The result for a page: of this run, or of an earlier one. */
type Result = Pick<TranslatedPage, 'inputHash' | 'fields' | 'documentHash'>;

/** Computes the translation of a revision. Only pages whose input has changed are translated. */
export async function computeContent(ctx: Context, computing: ContentComputing): Promise<ComputedContent> {
  const { source, knownPages } = computing;
  const pages = await loadWholeTree(ctx, source);
  const contents = await readReusableContents(ctx, source);
  const all = [...pages.map(sourcePageOf), ...contents.map(sourceContentOf)];
  const results = new Map<string, Result>();
  const pagesToTranslate: (SourcePage & { inputHash: string })[] = [];
  for (const page of all) {
    const inputHash = inputHashOf(page, computing.settings, computing.edits.get(page.pageId));
    const before = knownPages.get(page.pageId);
    if (before?.inputHash === inputHash && before.untranslatedSegments === 0) results.set(page.pageId, before);
    else pagesToTranslate.push({ ...page, inputHash });
  }
  const translated = await translateAll(ctx, pagesToTranslate, { ...computing, all: all.length });
  for (const page of translated) results.set(page.pageId, page);
  const tree = await buildTree(ctx, pages, results, computing);
  const manifest = await buildContents(ctx, contents, results, computing);
  return {
    content: { ...contentIn(source), rootHash: tree.rootHash, reusableContentsHash: manifest.rootHash },
    newNodes: tree.newNodes,
    newManifestNodes: manifest.newNodes,
    documents: translated.flatMap(({ document }) => document ?? []),
    translated,
    pageIds: all.map(({ pageId }) => pageId),
  };
}

async function translateAll(
  ctx: Context,
  pages: readonly (SourcePage & { inputHash: string })[],
  computing: ContentComputing & { all: number },
): Promise<TranslatedPage[]> {
  const translated: TranslatedPage[] = [];
  const report = () =>
    computing.progress({ total: computing.all, done: computing.all - pages.length + translated.length });
  report();
  for await (const group of computePages(ctx, pages, computing)) {
    translated.push(...group);
    report();
  }
  return translated;
}

const sourcePageOf = ({ node }: LoadedPage): SourcePage => ({
  pageId: node.pageId,
  fields: node.fields,
  documentHash: node.documentHash ?? null,
});

const sourceContentOf = ({ id, title, documentHash }: ReusableContentEntry): SourcePage => ({
  pageId: id,
  fields: { title },
  documentHash: documentHash ?? null,
});

/** The tree of the source with the results in its pages. Nodes that the former tree has are not new. */
async function buildTree(
  ctx: Context,
  pages: readonly LoadedPage[],
  results: ReadonlyMap<string, Result>,
  { translation, former }: ContentComputing,
): Promise<{ rootHash: string; newNodes: NewNode[] }> {
  const stored = new Set((await loadWholeTree(ctx, former)).map((page) => page.nodeHash));
  const pause = makeYielder();
  const hashes = new Map<string, string>();
  const top = assembleTree(pages);
  const hashesOf = (branches: readonly Branch<LoadedPage>[]) =>
    branches.map(({ row }) => hashes.get(row.pageId) as string); // children come first
  const newNodes: NewNode[] = [];
  for (const { row: page, pages: below } of byLevel(top).toReversed()) {
    const node = translatedNode(page.node, results.get(page.pageId), hashesOf(below), translation);
    const hash = nodeHash(node);
    if (!stored.has(hash))
      newNodes.push({ ...node, hash, createdAt: page.node.createdAt, updatedAt: nowOf(ctx), updatedBy: null });
    hashes.set(page.pageId, hash);
    await pause();
  }
  if (hashes.size !== pages.length) {
    throw new Error(`The tree of translation ${translation.id} has ${hashes.size} of ${pages.length} pages.`);
  }
  const root = { kind: 'root' as const, children: hashesOf(top) };
  const rootHash = nodeHash(root);
  const times = { createdAt: nowOf(ctx), updatedAt: nowOf(ctx), updatedBy: null };
  if (rootHash !== toHex(former.rootHash)) newNodes.push({ ...root, ...times, hash: rootHash });
  return { rootHash, newNodes };
}

function translatedNode(
  { createdAt: _c, updatedAt: _u, updatedBy: _b, sourceHash: _s, documentHash, ...node }: StoredPage,
  result: Result | undefined,
  children: string[],
  { id: translationId, spaceId }: TranslationRow,
): StoredPage {
  const fields = withTexts(node.fields, result?.fields.texts ?? {});
  const { inputHash = '' } = result ?? {};
  const computed =
    node.kind === 'document'
      ? computedFields(
          { pageId: node.pageId, fields: node.fields, documentHash: documentHash ?? null },
          { spaceId, translationId, inputHash },
        )
      : {};
  const body = result?.documentHash ? { documentHash: result.documentHash } : {};
  return { ...node, fields: { ...fields, ...computed }, ...body, children } as StoredPage; // of the same kind
}

async function buildContents(
  ctx: Context,
  contents: readonly ReusableContentEntry[],
  results: ReadonlyMap<string, Result>,
  { former, organizationId }: ContentComputing,
) {
  const before = contentIn(former).reusableContentsHash;
  const put = contents.map(({ id, title, computed }): ReusableContentEntry => {
    const result = results.get(id);
    return {
      id,
      title: result?.fields.texts.title ?? title,
      ...(result?.documentHash && { documentHash: result.documentHash }),
      ...(computed && { computed }),
    };
  });
  const putIds = new Set(put.map(({ id }) => id));
  const removed = before === null ? [] : (await readReusableContents(ctx, former)).filter(({ id }) => !putIds.has(id));
  return editManifest(before, manifestSource<ReusableContentEntry>(ctx.db, organizationId), {
    put,
    remove: removed.map(({ id }) => id),
  });
}

/** Hash of everything about a run that the translation of every page depends on. */
export const settingsHash = (settings: Record<string, unknown>): string => hashOf(settings);
