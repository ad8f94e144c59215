import { z } from 'zod';
import {
  findPassage,
  type LineExcerpt,
  lineAt,
  nearestLines,
  onlyLineEnd,
  passageWithLineEnds,
} from '../../../../lib/document/markdown/edit/find-passage.ts';
import { type Splice, sortSplices } from '../../../../lib/document/markdown/edit/splice.ts';
import { makeYielder } from '../../../../lib/tick.ts';
import { badInput, type Issue, invalidInput } from '../../../../platform/errors/errors.ts';
import { type EditTarget, editedPage, partialEdit } from './partial-edit.ts';

const passageEdit = z
  .object({
    find: z
      .string()
      .min(1)
      .max(20_000)
      .describe(
        'The passage to replace, exactly as the text has it, 1 to 20,000 characters. If the text has one kind of line ends, those of the passage are changed to it.',
      ),
    replaceWith: z.string().max(200_000).describe('The new passage, up to 200,000 characters. Empty to delete.'),
    occurrence: z
      .int()
      .min(1)
      .nullish()
      .describe('Which occurrence to replace, counted from 1. Default: the passage must occur once.'),
  })
  .meta({ inputName: 'PassageEditInput', description: 'A passage of a text, and what replaces it.' });

const input = z
  .strictObject({
    ...editedPage,
    edits: z
      .array(passageEdit)
      .min(1)
      .max(100)
      .describe(
        'Passages to replace, 1 to 100, all found in the text as it is before this change. They must not overlap. Send more in further changes.',
      ),
  })
  .meta({
    inputName: 'EditPageTextInput',
    description:
      'Replaces exact passages in the body of a page, in the Markdown that `pageText` returns. Everything else is unchanged, byte for byte. BAD_USER_INPUT, with the nearest lines, if a passage does not occur, or occurs several times.',
  });

type Edit = z.output<typeof passageEdit>;

export const editPageText = partialEdit({ input, splicesOf });

/** Number of passages whose faults are reported, and of lines that each names. */
const MAX_FAULTS = 5;
const MAX_LINES = 3;

async function splicesOf({
  page: { text },
  change: { edits },
  path,
}: EditTarget<z.output<typeof input>>): Promise<Splice[]> {
  const pause = makeYielder();
  const lineEnd = onlyLineEnd(text);
  const splices: Splice[] = [];
  const faults: Issue[] = [];
  for (const [i, edit] of edits.entries()) {
    await pause();
    const outcome = spliceOf(text, edit, lineEnd);
    if ('from' in outcome) splices.push(outcome);
    else faults.push({ ...outcome, path: [...path, 'edits', i, ...outcome.path] });
    if (faults.length === MAX_FAULTS) break;
  }
  if (faults.length > 0) throw invalidInput(faults);
  const ordered = sortSplices(splices);
  if ('sorted' in ordered) return ordered.sorted;
  const [first, second] = ordered.overlap;
  throw badInput(
    [...path, 'edits', second, 'find'],
    `overlaps with the passage of edit ${first}, at line ${lineAt(text, splices[second]?.from ?? 0).line}. Make one edit of the two.`,
  );
}

function spliceOf(text: string, { find, replaceWith, occurrence }: Edit, lineEnd: string | undefined): Splice | Issue {
  const passage = passageWithLineEnds(find, lineEnd);
  const { places, count } = findPassage(text, passage, Math.max(MAX_LINES, occurrence ?? 1));
  const from = places[(occurrence ?? 1) - 1];
  if (count === 0) return { path: ['find'], message: notFoundMessage(text, passage), code: 'INVALID_VALUE' };
  if (occurrence == null && count > 1) {
    const lines = named(places.slice(0, MAX_LINES).map((at) => lineAt(text, at)));
    const more = count > MAX_LINES ? ', …' : '';
    const message = `occurs ${count} times: ${lines}${more}. Send a longer passage, or "occurrence" (1 to ${count}).`;
    return { path: ['find'], message, code: 'INVALID_VALUE' };
  }
  if (from === undefined) {
    return { path: ['occurrence'], message: `is more than ${count}, the number of occurrences.`, code: 'TOO_LARGE' };
  }
  return { from, to: from + passage.length, text: passageWithLineEnds(replaceWith, lineEnd) };
}

function notFoundMessage(text: string, passage: string): string {
  if (text === '') return 'is not in the text, because the body of the page is empty. Write it with updatePage.';
  const nearest = nearestLines(text, passage, MAX_LINES);
  const lines = nearest.length === 0 ? 'No line is similar' : `The nearest lines are ${named(nearest)}`;
  return `is not in the text. ${lines}. Read the lines with pageText, and send the passage exactly as it is there.`;
}

const named = (lines: readonly LineExcerpt[]): string =>
  lines.map(({ line, excerpt }) => `line ${line} ${JSON.stringify(excerpt)}`).join(', ');
