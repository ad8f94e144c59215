import { factorySpace } from 'micromark-factory-space';
import { markdownLineEnding } from 'micromark-util-character';
import type { Code, Construct, Effects, State } from 'micromark-util-types';

declare module 'micromark-util-types' {
  interface TokenTypeMap {
    blockTag: 'blockTag';
  }
}

const openingBrace = 123;
const closingBrace = 125;
const percent = 37;

/** A line of `{% … %}`, which is a leaf block that can interrupt a paragraph. */
export const blockTag: Construct = { name: 'blockTag', tokenize: tokenizeBlockTag, concrete: true };

/** Positions at which the construct may start. */
export const blockTagStart = openingBrace;

const lineEnd: Construct = { tokenize: tokenizeLineEnd, partial: true };

function tokenizeBlockTag(effects: Effects, ok: State, nok: State): State {
  return start;

  function start(code: Code): State | undefined {
    effects.enter('blockTag');
    effects.consume(code);
    return opening;
  }

  function opening(code: Code): State | undefined {
    if (code !== percent) return nok(code);
    effects.consume(code);
    return inside;
  }

  function inside(code: Code): State | undefined {
    if (isLineEnd(code)) return nok(code);
    effects.consume(code);
    return code === percent ? afterPercent : inside;
  }

  /** Only the last `%}` of the line ends the tag, because there may be several tags with text between them. */
  function afterPercent(code: Code): State | undefined {
    if (code !== closingBrace) return inside(code);
    effects.consume(code);
    return effects.check(lineEnd, end, inside);
  }

  function end(code: Code): State | undefined {
    effects.exit('blockTag');
    return factorySpace(effects, ok, 'whitespace')(code);
  }
}

function tokenizeLineEnd(effects: Effects, ok: State, nok: State): State {
  return factorySpace(effects, (code) => (isLineEnd(code) ? ok(code) : nok(code)), 'whitespace');
}

function isLineEnd(code: Code): boolean {
  return code === null || markdownLineEnding(code);
}
