import { hashOf, type JsonObject } from '../../../../lib/canonical.ts';
import { anchorIds } from '../../../../lib/document/anchors.ts';
import type { JSONDocument, Phrasing } from '../../../../lib/document/document.ts';
import { makeYielder } from '../../../../lib/tick.ts';
import {
  cutDocument,
  joinDocument,
  type Languages,
  preserveAnchors,
  type SegmentedLine,
} from '../../../../lib/translation/cut-document.ts';
import { joinText, type Segment } from '../../../../lib/translation/cut-line.ts';
import type { Context } from '../../../../platform/context/context.ts';
import { documentId } from '../../../../platform/ids/ids.ts';
import { withShownAnchors } from '../../../content/rendering/index.ts';
import { documentSource, writeBody } from '../../../store/bodies/index.ts';
import { type PreparedDocument, seededKeys } from '../../../store/prepared-bodies/index.ts';
import { type RevisionRow, toBytes } from '../../../store/revisions/index.ts';
import type { OutdatedEdit, PageEdits } from '../edits/page-edits.ts';
import { cutTexts, joinField, lineOfField, textFields } from '../edits/page-texts.ts';
import type { SegmentTranslator } from './segment-translator.ts';

/** A page or reusable content of the source, or a link or group, which has texts but no body. */
export interface SourcePage {
  pageId: string;
  fields: object;
  documentHash: string | null;
}

/** The translation of a page. */
export interface TranslatedPage {
  pageId: string;
  /** Hash of everything that the result depends on, in hexadecimal. */
  inputHash: string;
  /** The translated texts among the fields, and the source that they were translated from. */
  fields: { source: Record<string, string>; texts: Record<string, string> };
  sourceDocumentHash: string | null;
  documentHash: string | null;
  segments: number;
  untranslatedSegments: number;
  words: number;
  /** Edits of people whose source has changed, with what their places have now. */
  outdated: (OutdatedEdit & { newTranslation: string | null })[];
  /** The new body. Undefined if there is none. */
  document?: PreparedDocument;
}

export interface PageComputing extends Languages {
  organizationId: string;
  /** The revision that is translated. */
  source: RevisionRow;
  translator: SegmentTranslator;
  /** Edits of people by page. */
  edits: ReadonlyMap<string, PageEdits>;
  signal: AbortSignal;
}

/** Translations of segments by their text. Undefined where there is none. */
type Translations = ReadonlyMap<string, string | undefined>;

/** Pages that are translated together, so that their segments share requests. */
const PAGES_AT_ONCE = 20;

/** Hash of everything that the translation of a page depends on. `settings` is that of the run. */
export const inputHashOf = (
  { fields, documentHash }: SourcePage,
  settings: string,
  edits: PageEdits | undefined,
): string => hashOf({ texts: textFields(fields), documentHash, settings, edits: edits?.fingerprint ?? '' });

/** Translates pages in groups. Calls `done` with the number of pages after each group. */
export async function* computePages(
  ctx: Context,
  pages: readonly (SourcePage & { inputHash: string })[],
  computing: PageComputing,
): AsyncGenerator<TranslatedPage[], void> {
  const read = documentSource(ctx.db, computing.organizationId);
  for (let start = 0; start < pages.length; start += PAGES_AT_ONCE) {
    computing.signal.throwIfAborted();
    const group = pages.slice(start, start + PAGES_AT_ONCE);
    const bodies = await read(group.flatMap(({ documentHash }) => documentHash ?? []));
    yield await computeGroup(ctx, group, bodies, computing);
  }
}

interface Cut {
  page: SourcePage & { inputHash: string };
  body: JSONDocument | undefined;
  texts: [string, Segment[]][];
  lines: SegmentedLine[];
}

async function computeGroup(
  ctx: Context,
  group: readonly (SourcePage & { inputHash: string })[],
  bodies: ReadonlyMap<string, JSONDocument>,
  computing: PageComputing,
): Promise<TranslatedPage[]> {
  const pause = makeYielder();
  const cuts: Cut[] = [];
  for (const page of group) {
    const stored = page.documentHash === null ? undefined : bodies.get(page.documentHash);
    const linked = stored && (await withShownAnchors(ctx, computing.source, stored, () => anchorIds(stored)));
    // Titles change, and with them the anchors that links could follow instead of the ids.
    const body = linked && preserveAnchors(linked);
    const texts = cutTexts(textFields(page.fields), computing.from);
    cuts.push({ page, body, texts, lines: body ? cutDocument(body, computing.from) : [] });
    await pause();
  }
  const segments = cuts.flatMap((cut) => translatable(cut).map(({ text }) => text));
  const translations = await computing.translator.translate(segments);
  const translated: TranslatedPage[] = [];
  for (const cut of cuts) {
    translated.push(await translatePage(ctx, cut, translations, computing));
    await pause();
  }
  return translated;
}

const translatable = ({ texts, lines }: Cut): Segment[] =>
  [...texts.map(([, segments]) => segments), ...lines.map(({ segments }) => segments)]
    .flat()
    .filter(({ isTranslatable }) => isTranslatable);

async function translatePage(
  ctx: Context,
  cut: Cut,
  translations: Translations,
  { organizationId, edits, from, to }: PageComputing,
): Promise<TranslatedPage> {
  const { page, body, texts } = cut;
  const pageEdits = edits.get(page.pageId);
  const fields = texts.map(([name, segments]) => {
    const edited = pageEdits?.textFor(lineOfField(name), segments);
    return [
      name,
      edited ??
        joinField(
          name,
          segments,
          segments.map(({ text }) => translations.get(text)),
        ),
    ] as const;
  });
  const all = translatable(cut);
  const document = body && (await translateBody(ctx, organizationId, body, { translations, pageEdits, from, to }));
  return {
    pageId: page.pageId,
    inputHash: page.inputHash,
    fields: { source: textFields(page.fields), texts: Object.fromEntries(fields) },
    sourceDocumentHash: page.documentHash,
    documentHash: document?.hash ?? null,
    segments: all.length,
    untranslatedSegments: all.filter(({ text }) => translations.get(text) === undefined).length,
    words: all.reduce((sum, { text }) => sum + countWords(text), 0),
    outdated: pageEdits ? outdatedEdits(cut, pageEdits, translations) : [],
    ...(document && { document }),
  };
}

/** Edits whose source has changed, with the translation that their place has now. */
function outdatedEdits(
  { texts, lines }: Cut,
  pageEdits: PageEdits,
  translations: Translations,
): TranslatedPage['outdated'] {
  const all = new Map([
    ...texts.map(([name, segments]) => [lineOfField(name), segments] as const),
    ...lines.map(({ name, segments }) => [name, segments] as const),
  ]);
  return pageEdits.outdatedIn(all).map((edit) => {
    const segments = all.get(edit.line) ?? [];
    const same = segments.filter(({ text }) => text === edit.newSource);
    const affectedSegments = edit.segment === null || same.length === 0 ? segments : same.slice(0, 1);
    const newTranslation = joinText(
      affectedSegments,
      affectedSegments.map(({ text }) => translations.get(text)),
    ).trim();
    const newSource = edit.newSource === null ? null : joinText(affectedSegments, []).trim();
    return { ...edit, newSource, newTranslation: edit.newSource === null ? null : newTranslation };
  });
}

interface BodyTranslation extends Languages {
  translations: Translations;
  pageEdits: PageEdits | undefined;
}

/** The body with translated segments and people's edits. */
function translateBody(
  ctx: Context,
  organizationId: string,
  body: JSONDocument,
  { translations, pageEdits, from, to }: BodyTranslation,
): Promise<PreparedDocument> {
  const joined = joinDocument(
    body,
    { from, to },
    {
      textFor: (segment, line, index): string | Phrasing[] | undefined =>
        pageEdits?.segmentFor(line, index, segment.text) ?? translations.get(segment.text),
      lineFor: (line, segments) => pageEdits?.lineFor(line, segments),
    },
    seededKeys(hashOf(body)),
  );
  return writeBody(ctx, organizationId, undefined, { body: joined, isMarkdown: false, isEmpty: false });
}

/** Words of a text with placeholders. Text without spaces counts as one word for two characters. */
function countWords(text: string): number {
  const plain = text.replaceAll(/<\/?\d{1,5}\/?>/g, ' ');
  const unspaced = plain.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu)?.length ?? 0;
  return (plain.match(/[\p{L}\p{N}]+/gu)?.length ?? 0) + Math.floor(unspaced / 2);
}

/** The fields of a translated document page, which names its source. */
export const computedFields = (
  { documentHash }: SourcePage,
  { spaceId, translationId, inputHash }: { spaceId: string; translationId: string; inputHash: string },
): { computed?: JsonObject; computedSeed?: string } =>
  documentHash === null
    ? {}
    : {
        computed: {
          type: 'builtin:translation',
          props: { space: spaceId, document: documentId(Buffer.from(toBytes(documentHash))) },
          dependencies: { translation: { ref: { kind: 'translation', translation: translationId } } },
        },
        computedSeed: inputHash,
      };
