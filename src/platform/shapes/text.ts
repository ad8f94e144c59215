import { z } from 'zod';
import { namesEmoji } from '../../lib/document/emoji.ts';
import { type IssueCode, withCode } from '../../lib/validation/issue-code.ts';
import { codePoints } from './cut-text.ts';

/**
 * Text of `min` to `max` code points, untrimmed. Rejects control characters other than tab and newline, and unpaired
 * surrogates.
 */
export const multilineText = (min: number, max: number) => checkedText(min, max, /[^\P{Cc}\t\n]/u);

/**
 * `multilineText` on one line. Also rejects tabs, newlines, and marks that change the direction of writing (Unicode,
 * UAX #9), since they can make one name look like another.
 */
export const lineText = (min: number, max: number) => checkedText(min, max, /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u);

/** `lineText` for titles and names. Also rejects blank values. Keeps and counts surrounding whitespace. */
export const nameText = (max: number, min = 1) =>
  lineText(min, max)
    .refine((value) => value.trim() !== '', { error: 'must not be blank', ...withCode('TOO_SHORT') })
    .meta({ minLength: min, maxLength: max, pattern: String.raw`\S` });

/** An emoji as a character or as hexadecimal code points, up to 50 characters. With `min` 0, also an empty text. */
export const emoji = (min: 0 | 1 = 1) =>
  lineText(min, 50).refine((text) => text === '' || namesEmoji(text), {
    error: 'must be an emoji or its hexadecimal code points, such as 1f4d4 or 1f468-200d-1f4bb',
    ...withCode('INVALID_FORMAT'),
  });

const checkedText = (min: number, max: number, refused: RegExp) =>
  z
    .string()
    .superRefine((value, { addIssue }) => {
      const fault = lengthFault(value, min, max) ?? characterFault(value, refused);
      // Later checks of the same value are skipped.
      if (fault) addIssue({ code: 'custom', message: fault[1], ...withCode(fault[0]), input: value, continue: false });
    })
    // JSON Schema counts code points too (2020-12 Validation, 6.3.1).
    .meta({ ...(min > 0 && { minLength: min }), maxLength: max });

type Fault = [code: IssueCode, message: string];

function lengthFault(value: string, min: number, max: number): Fault | undefined {
  // A code point has at most two units, so longer texts need not be counted.
  if (value.length > max * 2 || codePoints(value) > max) return ['TOO_LONG', `must be at most ${max} characters long`];
  if (codePoints(value) >= min) return undefined;
  return ['TOO_SHORT', min === 1 ? 'must not be empty' : `must be at least ${min} characters long`];
}

function characterFault(value: string, refused: RegExp): Fault | undefined {
  if (!value.isWellFormed()) return ['INVALID_FORMAT', 'contains an unpaired surrogate, which is not a character'];
  const character = refused.exec(value)?.[0];
  if (character === undefined) return undefined;
  const codePoint = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return ['INVALID_FORMAT', `contains the control character or direction mark U+${codePoint}`];
}
