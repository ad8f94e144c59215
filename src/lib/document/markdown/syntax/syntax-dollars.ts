import { asciiAlphanumeric, markdownLineEndingOrSpace, unicodeWhitespace } from 'micromark-util-character';
import type { Code, Construct, Effects, State, TokenizeContext } from 'micromark-util-types';
import { dollar } from './syntax-math.ts';

declare module 'micromark-util-types' {
  interface TokenTypeMap {
    dollarText: 'dollarText';
  }
}

/**
 * Text between dollars without blanks, such as `$a_{i}*b_{j}$`, which other generators read as a formula. Here it is
 * plain text, in which nothing has a meaning. Links, tags, references, code and addresses keep theirs, and so do
 * escapes of emphasis, which converters write there.
 */
const pattern =
  /(?<![$\\a-z\d])\$(?:(?!www\\?\.)(?:\\[^\s|$[\]<>&`@:*_~\\]|[^\s$\\[\]<&`@:]|<(?![a-z/!?])|&(?![#a-z\d])|:(?![/\\]))){1,1000}\$(?![$a-z\d])/iy;

/** The length of the text between dollars that begins at an index, with its dollars; 0 if there is none. */
export function dollarTextAt(text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0].length ?? 0;
}

/** Such a text as a construct of the grammar. Its characters are checked when it ends, as the pattern does. */
export const dollarText: Construct = {
  name: 'dollarText',
  tokenize: tokenizeDollarText,
  previous: mayPrecede,
};

function mayPrecede(code: Code): boolean {
  return code !== dollar && code !== backslash && !asciiAlphanumeric(code);
}

const backslash = 92;
/** The pattern does not allow more. */
const longest = 2_100;

function tokenizeDollarText(this: TokenizeContext, effects: Effects, ok: State, nok: State): State {
  // The grammar only asks for one construct that may follow.
  const isAfter = mayPrecede(this.previous);
  let source = '$';
  return start;

  function start(code: Code): State | undefined {
    if (!isAfter) return nok(code);
    effects.enter('dollarText');
    effects.consume(code);
    return inside;
  }

  function inside(code: Code): State | undefined {
    if (code === null || markdownLineEndingOrSpace(code) || unicodeWhitespace(code)) return nok(code);
    if (source.length > longest) return nok(code);
    source += String.fromCharCode(code);
    effects.consume(code);
    return code === dollar ? end : inside;
  }

  function end(code: Code): State | undefined {
    if (code === dollar || asciiAlphanumeric(code) || dollarTextAt(source, 0) !== source.length) return nok(code);
    effects.exit('dollarText');
    return ok(code);
  }
}
