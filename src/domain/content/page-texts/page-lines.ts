import { z } from 'zod';
import { versionOfText } from '../../../lib/document/markdown/edit/outline-text.ts';
import { linesOf } from '../../../lib/document/markdown/patch/lines-of.ts';
import type { Context } from '../../../platform/context/context.ts';
import { badInput } from '../../../platform/errors/errors.ts';
import { type PageView, pageBody } from '../pages/index.ts';
import { renderMarkdown } from '../rendering/index.ts';

/** A range of lines, counted from 1. */
export const lineRange = {
  from: z.int().min(1).nullish().describe('First line, counted from 1. Default: the first line of the text.'),
  to: z.int().min(1).nullish().describe('Last line. Default: the last line of the text.'),
};

export interface LineRange {
  from?: number | null | undefined;
  to?: number | null | undefined;
}

/** The body of a page in its form `written`. Pages without a body have an empty text. */
export const writtenTextOf = (ctx: Context, view: PageView): Promise<string> =>
  renderMarkdown(ctx, pageBody(view), { evaluated: 'false', dereferenced: 'false', references: 'written' });

/** Lines of the text of a page. */
export interface PageLines {
  text: string;
  version: string;
  lineCount: number;
  /** The first line, counted from 1. */
  from: number;
  to: number;
}

/** Reads lines of the text of a page. Lines that the text does not have are left out. */
export async function pageLines(ctx: Context, view: PageView, range: LineRange): Promise<PageLines> {
  const { from, to } = checkedRange(range);
  const text = await writtenTextOf(ctx, view);
  const lines = linesOf(text);
  const chosen = lines.slice(from - 1, to);
  return {
    text: chosen.join(''),
    version: versionOfText(text),
    lineCount: lines.length,
    from,
    to: from - 1 + chosen.length,
  };
}

/** A range with its defaults. BAD_USER_INPUT if it ends before it begins. */
export function checkedRange({ from, to }: LineRange): { from: number; to: number } {
  const range = { from: from ?? 1, to: to ?? Number.MAX_SAFE_INTEGER };
  if (range.to < range.from) throw badInput(['to'], `must be at least "from", which is ${range.from}.`, 'TOO_SMALL');
  return range;
}
