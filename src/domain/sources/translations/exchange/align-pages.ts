import { makeYielder } from '../../../../lib/tick.ts';
import { alignLine, type SegmentPair } from '../../../../lib/translation/align.ts';
import { cutDocument, type SegmentedLine } from '../../../../lib/translation/cut-document.ts';
import { cutText, type Segment } from '../../../../lib/translation/cut-line.ts';
import type { Context } from '../../../../platform/context/context.ts';
import { revisionFor } from '../../../content/revisions/index.ts';
import { permissions } from '../../../people/access/index.ts';
import { spaceFor } from '../../../places/spaces/index.ts';
import { documentSource } from '../../../store/bodies/index.ts';
import { readReusableContents } from '../../../store/manifests/index.ts';
import { loadVisibleTree } from '../../../store/trees/index.ts';
import type { TranslationRow } from '../access.ts';
import { lineOfField, textFields } from '../edits/page-texts.ts';
import { type KnownTranslation, loadKnownPages } from '../runs/load-known-pages.ts';

/** A page or reusable content, with its segments and their translations as readers see them. */
export interface AlignedPage {
  pageId: string;
  /** Path of a page, or title of a reusable content. */
  path: string;
  lines: { line: string; source: readonly Segment[]; target: readonly Segment[]; pairs: SegmentPair[] }[];
}

/** Pages whose bodies are read together. */
const PAGES_PER_BATCH = 20;

type SpacePage = Pick<AlignedPage, 'pageId' | 'path'> & { fields: object; documentHash: string | null };

/**
 * The pages of the translated space that the latest run translated, beside the source that it translated. The caller
 * must be able to view the translated space; throws NOT_FOUND otherwise.
 */
export async function* alignPages(
  ctx: Context,
  { id, organizationId, translatedSpaceId, sourceLanguage, language }: TranslationRow,
  pageIds?: ReadonlySet<string>,
): AsyncGenerator<AlignedPage, void> {
  const knownPages = await loadKnownPages(ctx, id);
  const allPages = await pagesIn(ctx, translatedSpaceId);
  const pages = allPages.filter(({ pageId }) => knownPages.has(pageId) && (pageIds?.has(pageId) ?? true));
  const read = documentSource(ctx.db, organizationId);
  const pause = makeYielder();
  for (let start = 0; start < pages.length; start += PAGES_PER_BATCH) {
    const group = pages.slice(start, start + PAGES_PER_BATCH);
    const hashes = group.flatMap(({ pageId, documentHash }) => [
      documentHash,
      knownPages.get(pageId)?.sourceDocumentHash,
    ]);
    const bodies = await read(hashes.flatMap((hash) => hash ?? []));
    for (const page of group) {
      const before = knownPages.get(page.pageId) as KnownTranslation; // filtered by it
      const cut = (hash: string | null, language: string): SegmentedLine[] => {
        const body = hash === null ? undefined : bodies.get(hash);
        return body ? cutDocument(body, language) : [];
      };
      const lines = [
        ...linesOfFields(before.fields.source, page.fields, { from: sourceLanguage, to: language }),
        ...matched(cut(before.sourceDocumentHash, sourceLanguage), cut(page.documentHash, language)),
      ];
      yield { pageId: page.pageId, path: page.path, lines };
      await pause();
    }
  }
}

async function pagesIn(ctx: Context, spaceId: string): Promise<SpacePage[]> {
  const space = await spaceFor(ctx, spaceId, permissions.getTranslation.space);
  const { revision } = await revisionFor(ctx, spaceId, space.revisionId);
  const pages = (await loadVisibleTree(ctx, revision)).map(
    ({ pageId, node, documentHash }): SpacePage => ({
      pageId,
      path: 'slug' in node.fields ? String(node.fields.slug) : '',
      fields: node.fields,
      documentHash,
    }),
  );
  const contents = (await readReusableContents(ctx, revision)).map(
    ({ id, title, documentHash }): SpacePage => ({
      pageId: id,
      path: title,
      fields: { title },
      documentHash: documentHash ?? null,
    }),
  );
  return [...pages, ...contents];
}

function linesOfFields(source: Record<string, string>, fields: object, { from, to }: { from: string; to: string }) {
  const translated = textFields(fields);
  return Object.entries(source).flatMap(([name, value]) => {
    const target = translated[name];
    if (target === undefined) return [];
    return alignedLine(lineOfField(name), cutText(value, from), cutText(target, to));
  });
}

function matched(source: readonly SegmentedLine[], target: readonly SegmentedLine[]) {
  const translated = new Map(target.map(({ name, segments }) => [name, segments]));
  return source.flatMap(({ name, segments }) => alignedLine(name, segments, translated.get(name)));
}

function alignedLine(line: string, source: readonly Segment[], target: readonly Segment[] | undefined) {
  const pairs = target ? alignLine(source, target) : [];
  return target === undefined || pairs.length === 0 ? [] : [{ line, source, target, pairs }];
}
