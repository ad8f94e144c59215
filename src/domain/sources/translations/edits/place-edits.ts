import type { z } from 'zod';
import type { JSONDocument } from '../../../../lib/document/document.ts';
import { textOfLine } from '../../../../lib/document/plain-text.ts';
import { makeYielder } from '../../../../lib/tick.ts';
import { cutText } from '../../../../lib/translation/cut-line.ts';
import { type PlacedText, placeInDocument, placeInSegments } from '../../../../lib/translation/place-texts.ts';
import type { Context } from '../../../../platform/context/context.ts';
import type { updateSpaceContent } from '../../../content/editing/index.ts';
import { documentSource } from '../../../store/bodies/index.ts';
import { readReusableContents } from '../../../store/manifests/index.ts';
import type { RevisionRow } from '../../../store/revisions/index.ts';
import { loadVisibleTree } from '../../../store/trees/index.ts';
import type { TranslationRow } from '../access.ts';
import { lineOfField, textFields } from './page-texts.ts';

/** A change of content, as the operations that edit content take it. */
export type TranslationChange = z.input<typeof updateSpaceContent.input>['changes'][number];

/** Changes of pages and reusable contents, and the texts that have no place in them. */
export interface PlacedEdits {
  changes: TranslationChange[];
  unplaced: { pageId: string; text: PlacedText }[];
}

/** A page or reusable content of a revision. */
interface Holder {
  pageId: string;
  kind: 'page' | 'reusable';
  fields: object;
  documentHash: string | null;
}

/** The changes that put texts in their places in pages of a revision of the translated space. Writes nothing. */
export async function placeEdits(
  ctx: Context,
  { organizationId, language }: TranslationRow,
  revision: RevisionRow,
  texts: ReadonlyMap<string, readonly PlacedText[]>,
): Promise<PlacedEdits> {
  const pause = makeYielder();
  const holders = await holdersIn(ctx, revision, texts);
  const read = documentSource(ctx.db, organizationId);
  const bodies = await read([...holders.values()].flatMap(({ documentHash }) => documentHash ?? []));
  const placed: PlacedEdits = { changes: [], unplaced: [] };
  for (const [pageId, pageTexts] of texts) {
    const holder = holders.get(pageId);
    const body = holder?.documentHash == null ? undefined : bodies.get(holder.documentHash);
    const { change, unplaced } = holder
      ? placeIn(holder, body, language, pageTexts)
      : { change: undefined, unplaced: pageTexts };
    if (change) placed.changes.push(change);
    placed.unplaced.push(...unplaced.map((each) => ({ pageId, text: each })));
    await pause();
  }
  return placed;
}

async function holdersIn(
  ctx: Context,
  revision: RevisionRow,
  texts: ReadonlyMap<string, unknown>,
): Promise<Map<string, Holder>> {
  const pages = (await loadVisibleTree(ctx, revision)).map(
    ({ pageId, node, documentHash }): Holder => ({ pageId, kind: 'page', fields: node.fields, documentHash }),
  );
  const contents = (await readReusableContents(ctx, revision)).map(
    ({ id, title, documentHash }): Holder => ({
      pageId: id,
      kind: 'reusable',
      fields: { title },
      documentHash: documentHash ?? null,
    }),
  );
  const holders = [...pages, ...contents].filter(({ pageId }) => texts.has(pageId));
  return new Map(holders.map((holder) => [holder.pageId, holder]));
}

function placeIn(
  { pageId, kind, fields }: Holder,
  body: JSONDocument | undefined,
  language: string,
  texts: readonly PlacedText[],
): { change: TranslationChange; unplaced: PlacedText[] } {
  const isField = ({ line }: PlacedText) => line.startsWith(FIELD);
  const inFields = placeInFields(fields, language, texts.filter(isField));
  const others = texts.filter((each) => !isField(each));
  const placed = body && placeInDocument(body, language, others);
  const document = placed && placed.document !== body ? { document: { document: placed.document } } : {};
  const change: TranslationChange =
    kind === 'page'
      ? { updatePage: { pageId, ...inFields.values, ...document } }
      : { updateReusableContent: { reusableContentId: pageId, ...inFields.values, ...document } };
  return { change, unplaced: [...inFields.unplaced, ...(placed?.unplaced ?? others)] };
}

const FIELD = lineOfField('');

/** The fields that texts are for, with them, and the texts that have no place. */
function placeInFields(fields: object, language: string, texts: readonly PlacedText[]) {
  const unplaced = new Set(texts);
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(textFields(fields))) {
    const fieldTexts = texts.filter(({ line }) => line === lineOfField(name));
    const { nodes, placed } = placeInSegments(cutText(value, language), fieldTexts);
    if (placed.length > 0) values[name] = textOfLine(nodes);
    for (const each of placed) unplaced.delete(each);
  }
  return { values, unplaced: [...unplaced] };
}
