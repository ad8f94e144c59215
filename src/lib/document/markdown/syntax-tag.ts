import { markdownLineEnding, markdownSpace } from 'micromark-util-character';
import type { Code, Construct, Effects, State } from 'micromark-util-types';

declare module 'micromark-util-types' {
  interface TokenTypeMap {
    blockTag: 'blockTag';
    blockTagPadding: 'blockTagPadding';
  }
}

const openingBrace = 123;
const closingBrace = 125;
const percent = 37;

/** A line of `{% … %}`, in CommonMark's terms a leaf block that can interrupt a paragraph. */
export const blockTag: Construct = { name: 'blockTag', tokenize: tokenizeBlockTag, concrete: true };

/** Where the construct may begin. */
export const blockTagStart = openingBrace;

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
    if (code === null || markdownLineEnding(code)) return nok(code);
    effects.consume(code);
    return code === percent ? afterPercent : inside;
  }

  function afterPercent(code: Code): State | undefined {
    if (code !== closingBrace) return inside(code);
    effects.consume(code);
    return closed;
  }

  /** Only the last `%}` of the line ends the tag: values may hold others. */
  function closed(code: Code): State | undefined {
    return effects.check({ tokenize: tokenizeLineEnd, partial: true }, end, inside)(code);
  }

  function end(code: Code): State | undefined {
    effects.exit('blockTag');
    if (!markdownSpace(code)) return ok(code);
    effects.enter('blockTagPadding');
    return padding(code);
  }

  function padding(code: Code): State | undefined {
    if (markdownSpace(code)) {
      effects.consume(code);
      return padding;
    }
    effects.exit('blockTagPadding');
    return ok(code);
  }
}

function tokenizeLineEnd(effects: Effects, ok: State, nok: State): State {
  return start;

  function start(code: Code): State | undefined {
    if (code === null || markdownLineEnding(code)) return ok(code);
    if (!markdownSpace(code)) return nok(code);
    effects.enter('blockTagPadding');
    return space(code);
  }

  function space(code: Code): State | undefined {
    if (markdownSpace(code)) {
      effects.consume(code);
      return space;
    }
    effects.exit('blockTagPadding');
    return code === null || markdownLineEnding(code) ? ok(code) : nok(code);
  }
}
