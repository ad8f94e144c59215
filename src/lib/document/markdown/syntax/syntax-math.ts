import { factorySpace } from 'micromark-factory-space';
import { markdownLineEnding } from 'micromark-util-character';
import type { Code, Construct, Effects, State, TokenizeContext } from 'micromark-util-types';

declare module 'micromark-util-types' {
  interface TokenTypeMap {
    mathFlow: 'mathFlow';
    mathFlowFence: 'mathFlowFence';
    mathFlowValue: 'mathFlowValue';
    mathText: 'mathText';
    mathTextFence: 'mathTextFence';
    mathTextValue: 'mathTextValue';
  }
}

export const dollar = 36;
const smallestFence = 2;

/** A formula between lines of two or more dollars, with the rules of fenced code (CommonMark section 4.5). */
export const mathFlow: Construct = { name: 'mathFlow', tokenize: tokenizeMathFlow, concrete: true };

/** A formula between runs of two or more dollars in text, with the rules of code spans (section 6.1). */
export const mathText: Construct = {
  name: 'mathText',
  tokenize: tokenizeMathText,
  previous(code) {
    return code !== dollar || this.events.at(-1)?.[1].type === 'characterEscape';
  },
};

const nextLine: Construct = { tokenize: tokenizeNextLine, partial: true };
const lineValue: Construct = { tokenize: tokenizeValue('mathFlowValue', isLineEnd), partial: true };
const textValue: Construct = {
  tokenize: tokenizeValue('mathTextValue', (code) => code === dollar || isLineEnd(code)),
  partial: true,
};

function tokenizeMathFlow(this: TokenizeContext, effects: Effects, ok: State, nok: State): State {
  const isInterrupting = this.interrupt;
  let size = 0;
  return start;

  function start(code: Code): State | undefined {
    effects.enter('mathFlow');
    effects.enter('mathFlowFence');
    return fence(code);
  }

  function fence(code: Code): State | undefined {
    if (code === dollar) {
      size += 1;
      effects.consume(code);
      return fence;
    }
    return size < smallestFence ? nok(code) : factorySpace(effects, fenceEnd, 'whitespace')(code);
  }

  function fenceEnd(code: Code): State | undefined {
    if (!isLineEnd(code)) return nok(code);
    effects.exit('mathFlowFence');
    // The lines that follow do not matter, and their containers are not known yet.
    return isInterrupting ? after(code) : lineEnd(code);
  }

  function lineEnd(code: Code): State | undefined {
    return code === null ? after(code) : effects.attempt(nextLine, lineStart, after)(code);
  }

  function lineStart(code: Code): State | undefined {
    const closing: Construct = { tokenize: tokenizeClosing(size), partial: true };
    return effects.attempt(closing, after, effects.attempt(lineValue, lineEnd, lineEnd))(code);
  }

  function after(code: Code): State | undefined {
    effects.exit('mathFlow');
    return ok(code);
  }
}

/** Consumes a line end, unless the next line belongs to a paragraph outside (a lazy line, CommonMark section 5.1). */
function tokenizeNextLine(this: TokenizeContext, effects: Effects, ok: State, nok: State): State {
  return (code) => {
    effects.enter('lineEnding');
    effects.consume(code);
    effects.exit('lineEnding');
    return (next) => (this.parser.lazy[this.now().line] ? nok(next) : ok(next));
  };
}

function tokenizeClosing(size: number) {
  return (effects: Effects, ok: State, nok: State): State => {
    let count = 0;
    return factorySpace(effects, start, 'linePrefix', 4);

    function start(code: Code): State | undefined {
      effects.enter('mathFlowFence');
      return fence(code);
    }

    function fence(code: Code): State | undefined {
      if (code === dollar) {
        count += 1;
        effects.consume(code);
        return fence;
      }
      return count < size ? nok(code) : factorySpace(effects, end, 'whitespace')(code);
    }

    function end(code: Code): State | undefined {
      if (!isLineEnd(code)) return nok(code);
      effects.exit('mathFlowFence');
      return ok(code);
    }
  };
}

function tokenizeMathText(effects: Effects, ok: State, nok: State): State {
  let size = 0;
  return start;

  function start(code: Code): State | undefined {
    effects.enter('mathText');
    effects.enter('mathTextFence');
    return opening(code);
  }

  function opening(code: Code): State | undefined {
    if (code === dollar) {
      size += 1;
      effects.consume(code);
      return opening;
    }
    if (size < smallestFence) return nok(code);
    effects.exit('mathTextFence');
    return between(code);
  }

  function between(code: Code): State | undefined {
    if (code === null) return nok(code);
    if (code === dollar) return effects.attempt(runOf(size), after, effects.attempt(runOf(), between, nok))(code);
    if (!markdownLineEnding(code)) return effects.attempt(textValue, between, nok)(code);
    effects.enter('lineEnding');
    effects.consume(code);
    effects.exit('lineEnding');
    return between;
  }

  function after(code: Code): State | undefined {
    effects.exit('mathText');
    return ok(code);
  }
}

/** A run of dollars, with this length if one is given. */
function runOf(size?: number): Construct {
  return {
    partial: true,
    tokenize(effects, ok, nok) {
      let count = 0;
      return start;

      function start(code: Code): State | undefined {
        effects.enter('mathTextFence');
        return run(code);
      }

      function run(code: Code): State | undefined {
        if (code === dollar) {
          count += 1;
          effects.consume(code);
          return run;
        }
        effects.exit('mathTextFence');
        return size === undefined || count === size ? ok(code) : nok(code);
      }
    },
  };
}

/** A token up to an end, which does not follow immediately. */
function tokenizeValue(type: 'mathFlowValue' | 'mathTextValue', isEnd: (code: Code) => boolean) {
  return (effects: Effects, ok: State, nok: State): State => {
    return start;

    function start(code: Code): State | undefined {
      if (isEnd(code)) return nok(code);
      effects.enter(type);
      return value(code);
    }

    function value(code: Code): State | undefined {
      if (isEnd(code)) {
        effects.exit(type);
        return ok(code);
      }
      effects.consume(code);
      return value;
    }
  };
}

function isLineEnd(code: Code): boolean {
  return code === null || markdownLineEnding(code);
}
