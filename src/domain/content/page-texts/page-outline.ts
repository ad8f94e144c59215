import { emptyDocument } from '../../../lib/document/empty.ts';
import {
  type OutlineBlock,
  type OutlineHeading,
  versionOfText,
} from '../../../lib/document/markdown/edit/outline-text.ts';
import type { Context } from '../../../platform/context/context.ts';
import { type PageView, pageBody } from '../pages/index.ts';
import { renderBody } from '../rendering/index.ts';
import { checkedRange, type LineRange, writtenTextOf } from './page-lines.ts';
import { readTextOutline } from './read-text-outline.ts';

/** Maximum number of headings and of blocks in one reading. */
const MAX_ENTRIES = 1_000;

/** The outline of the text of a page, or of some lines of it. */
export interface PageOutline {
  version: string;
  lineCount: number;
  size: number;
  headings: OutlineHeading[];
  blocks: OutlineBlock[];
  /** The line to continue from, counted from 1; null if nothing was left out at the end. */
  nextLine: number | null;
}

const VERBATIM = { evaluated: 'false', dereferenced: 'false' } as const;

/** Reads the headings and blocks that begin in a range of lines. */
export async function pageOutline(ctx: Context, view: PageView, range: LineRange): Promise<PageOutline> {
  const { from, to } = checkedRange(range);
  const of = pageBody(view);
  const [text, body] = await Promise.all([writtenTextOf(ctx, view), renderBody(ctx, of, VERBATIM)]);
  const version = versionOfText(text);
  const outline = await readTextOutline(ctx, {
    organizationId: view.revision.organizationId,
    // A computed body can change without its text.
    ...(of.documentHash !== null && { key: `${of.documentHash}/${body.nodes.length}/${version}` }),
    text,
    document: text === '' ? emptyDocument() : body,
  });
  const isWithin = ({ firstLine }: { firstLine: number }) => firstLine + 1 >= from && firstLine < to;
  const [headings, blocks] = [outline.headings.filter(isWithin), outline.blocks.filter(isWithin)];
  const leftOut = [headings[MAX_ENTRIES], blocks[MAX_ENTRIES]].flatMap((entry) => (entry ? entry.firstLine + 1 : []));
  // A line with more blocks than are listed is not returned to.
  const next = Math.max(Math.min(...leftOut), from + 1);
  const nextLine = leftOut.length === 0 || next > to ? null : next;
  const isBefore = ({ firstLine }: { firstLine: number }) => nextLine === null || firstLine + 1 < nextLine;
  return {
    version,
    lineCount: outline.lineCount,
    size: text.length,
    headings: headings.filter(isBefore).slice(0, MAX_ENTRIES),
    blocks: blocks.filter(isBefore).slice(0, MAX_ENTRIES),
    nextLine,
  };
}
