import { textNode } from '../../../../lib/document/build.ts';
import type { JSONDocument } from '../../../../lib/document/document.ts';
import { makeYielder } from '../../../../lib/tick.ts';
import { cutDocument, type Languages } from '../../../../lib/translation/cut-document.ts';
import { cutText, isSameLine, joinLine, nodesOfSegment, type Segment } from '../../../../lib/translation/cut-line.ts';
import type { Context } from '../../../../platform/context/context.ts';
import { documentSource } from '../../../store/bodies/index.ts';
import { readReusableContents } from '../../../store/manifests/index.ts';
import { type RevisionRow, toHex } from '../../../store/revisions/index.ts';
import { loadWholeTree } from '../../../store/trees/index.ts';
import type { TranslationRow } from '../access.ts';
import type { KnownTranslation } from '../runs/load-known-pages.ts';
import { type Edit, PageEdits, sourceOfLine } from './page-edits.ts';
import { lineOfField, textFields } from './page-texts.ts';

/** The edits of people in a translation. */
export interface FoundEdits {
  /** The head of the translated space that was read. */
  head: RevisionRow;
  byPage: ReadonlyMap<string, PageEdits>;
  /** Edits since the latest run, which are not stored yet. */
  fresh: readonly { pageId: string; edits: readonly Edit[] }[];
}

interface Compared {
  former: RevisionRow;
  head: RevisionRow;
  knownPages: ReadonlyMap<string, KnownTranslation>;
}

/** Edits by page: those that are stored, and those that people made since the latest run. */
export async function findEdits(ctx: Context, translation: TranslationRow, compared: Compared): Promise<FoundEdits> {
  const stored = await storedEdits(ctx, translation.id);
  const fresh = await freshEdits(ctx, translation, compared);
  for (const { pageId, edits } of fresh) {
    const places = new Set(edits.map(editPosition));
    const remaining = (stored.get(pageId) ?? []).filter((edit) => !places.has(editPosition(edit)));
    stored.set(pageId, [...remaining, ...edits]);
  }
  const byPage = new Map([...stored].map(([pageId, edits]) => [pageId, new PageEdits(edits)]));
  return { head: compared.head, byPage, fresh };
}

/** Identifies the place of an edit in its page. */
const editPosition = ({ line, segment }: Pick<Edit, 'line' | 'segment'>): string => `${line} ${segment ?? ''}`;

/** The edits of a translation that need no review, by page. */
export async function storedEdits({ db }: Context, translationId: string): Promise<Map<string, Edit[]>> {
  const rows = await db
    .selectFrom('translation_edit')
    .where('translationId', '=', translationId)
    .where('needsReview', '=', false)
    .orderBy('id')
    .select(['pageId', 'line', 'segment', 'source', 'nodes'])
    .execute();
  return Map.groupBy(rows, ({ pageId }) => pageId);
}

async function freshEdits(
  ctx: Context,
  { sourceLanguage: from, language: to, organizationId }: TranslationRow,
  { former, head, knownPages }: Compared,
): Promise<{ pageId: string; edits: Edit[] }[]> {
  if (hasSameTexts(former, head)) return [];
  const pause = makeYielder();
  const read = documentSource(ctx.db, organizationId);
  const before = new Map((await textsIn(ctx, former)).map((page) => [page.pageId, page]));
  const result: { pageId: string; edits: Edit[] }[] = [];
  for (const { pageId, fields, documentHash } of await textsIn(ctx, head)) {
    const old = before.get(pageId);
    if (!old || (old.fields === fields && old.documentHash === documentHash)) continue;
    const edits = editsOfFields(knownPages.get(pageId), { before: old.fields, after: fields }, from);
    if (old.documentHash !== null && documentHash !== null && old.documentHash !== documentHash) {
      const sourceHash = knownPages.get(pageId)?.sourceDocumentHash ?? old.documentHash;
      const bodies = await read([sourceHash, old.documentHash, documentHash]);
      const three = [sourceHash, old.documentHash, documentHash].map((hash) => bodies.get(hash));
      edits.push(...editsOfBody(three, { from, to }));
    }
    if (edits.length > 0) result.push({ pageId, edits });
    await pause();
  }
  return result;
}

const hasSameTexts = (one: RevisionRow, other: RevisionRow) =>
  toHex(one.rootHash) === toHex(other.rootHash) &&
  hexOrNull(one.reusableContentsHash) === hexOrNull(other.reusableContentsHash);

const hexOrNull = (hash: Uint8Array | null) => hash && toHex(hash);

/** A page or reusable content of a revision. */
interface TranslatedText {
  pageId: string;
  fields: object;
  documentHash: string | null;
}

async function textsIn(ctx: Context, revision: RevisionRow): Promise<TranslatedText[]> {
  const pages = await loadWholeTree(ctx, revision);
  const contents = await readReusableContents(ctx, revision);
  return [
    ...pages.map(({ pageId, node, documentHash }) => ({ pageId, fields: node.fields, documentHash })),
    ...contents.map(({ id, title, documentHash }) => ({
      pageId: id,
      fields: { title },
      documentHash: documentHash ?? null,
    })),
  ];
}

/** Edits of the title and other texts among the fields of a page. */
function editsOfFields(
  knownPage: KnownTranslation | undefined,
  { before, after }: { before: object; after: object },
  from: string,
): Edit[] {
  const [old, now] = [textFields(before), textFields(after)];
  return Object.entries(now).flatMap(([name, value]): Edit[] => {
    const source = knownPage?.fields.source[name];
    if (value === old[name] || source === undefined) return [];
    const segments = cutText(source, from);
    return [{ line: lineOfField(name), segment: null, source: sourceOfLine(segments), nodes: [textNode(value)] }];
  });
}

/** Edits of a body: of its source, of what the latest run computed for it, and as it is now. */
function editsOfBody([source, before, now]: (JSONDocument | undefined)[], { from, to }: Languages): Edit[] {
  if (!source || !before || !now) return [];
  const [sources, olds] = [cutLines(source, from), cutLines(before, to)];
  return [...cutLines(now, to)].flatMap(([line, segments]): Edit[] => {
    const [sourceSegments, old] = [sources.get(line), olds.get(line)];
    if (!sourceSegments || !old || sameLine(segments, old)) return [];
    const wholeLine = { line, segment: null, source: sourceOfLine(sourceSegments), nodes: joinLine(segments, []) };
    if (sourceSegments.length !== old.length || old.length !== segments.length) return [wholeLine];
    return segments.flatMap((segment, index): Edit[] => {
      const [translated, was] = [sourceSegments[index], old[index]];
      if (!translated || !was || sameLine([segment], [was])) return [];
      return [{ line, segment: index, source: translated.text, nodes: nodesOfSegment(segment) }];
    });
  });
}

const sameLine = (one: readonly Segment[], other: readonly Segment[]): boolean =>
  isSameLine(joinLine(one, []), joinLine(other, []));

const cutLines = (document: JSONDocument, language: string) =>
  new Map(cutDocument(document, language).map(({ name, segments }) => [name, segments]));
