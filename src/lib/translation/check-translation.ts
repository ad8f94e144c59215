import { type CodedToken, printTokens, readTokens } from './coded-text.ts';
import { placeholdersIn } from './placeholders.ts';

/** A translation may be this much longer than its segment. */
const MAX_GROWTH = 10;
const MAX_ADDED = 200;

/**
 * The translation in the response of a provider for a segment, tidied: without surrounding whitespace, and on one line
 * if the segment is. Undefined if the translation is not usable: it is empty, far too long, or does not have exactly
 * the placeholders of the segment, properly nested, with the URLs and variables in its text.
 */
export function checkTranslation(segment: string, translation: unknown): string | undefined {
  if (typeof translation !== 'string' || translation.length > segment.length * MAX_GROWTH + MAX_ADDED) return undefined;
  const line = segment.includes('\n') ? translation : translation.replaceAll(/[\r\n]+/g, ' ');
  const text = line.replaceAll(CONTROLS, '').trim();
  if (text === '') return undefined;
  const tokens = readTokens(text);
  const sourceTokens = readTokens(segment);
  const isFit =
    isNested(tokens) &&
    countOf(tokens) === countOf(sourceTokens) &&
    placeholdersIn(textOf(tokens)) === placeholdersIn(textOf(sourceTokens));
  return isFit ? printTokens(tokens) : undefined;
}

/** Characters that PostgreSQL and XML do not store. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** The placeholders of a text in a canonical order. */
const countOf = (tokens: readonly CodedToken[]): string =>
  tokens
    .flatMap((token) => (token.kind === 'text' ? [] : [printTokens([token])]))
    .sort()
    .join('');

const textOf = (tokens: readonly CodedToken[]): string =>
  tokens.map((token) => (token.kind === 'text' ? token.value : '\n')).join('');

function isNested(tokens: readonly CodedToken[]): boolean {
  const around: number[] = [];
  for (const token of tokens) {
    if (token.kind === 'open') around.push(token.number);
    if (token.kind === 'close' && around.pop() !== token.number) return false;
  }
  return around.length === 0;
}
