import { type CodedToken, printTokens, readTokens } from './coded-text.ts';
import { findTerms, type Glossary } from './glossary.ts';

const LETTERS = new Map(
  [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'].map((letter, index) => [
    letter,
    [...'àƀçđéƒğĥîĵķļɱñôþɋřšţúṽŵẋýžÀƁÇĐÉƑĞĤÎĴĶĻṀÑÔÞɊŘŠŢÚṼŴẊÝŽ'][index] ?? letter,
  ]),
);

/**
 * Pseudo-localizes a segment: its terms have the translation of the glossary, other letters of the Latin alphabet get
 * accents, and brackets mark what was translated. Placeholders stay. It shows which texts would be translated, and does
 * not translate.
 */
export function pseudoLocalize(segment: string, glossary: Glossary): string {
  const tokens = readTokens(segment).flatMap((token): CodedToken[] =>
    token.kind === 'text'
      ? findTerms(token.value, glossary).map(({ value, term }) => wordToken(value, term?.translation))
      : [token],
  );
  return printTokens([{ kind: 'text', value: '⟦' }, ...tokens, { kind: 'text', value: '⟧' }]);
}

const wordToken = (value: string, translation: string | undefined): CodedToken => ({
  kind: 'text',
  value: translation ?? value.replaceAll(/[A-Za-z]/g, (letter) => LETTERS.get(letter) ?? letter),
});
