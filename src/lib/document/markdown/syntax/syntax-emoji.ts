import { asciiAlphanumeric } from 'micromark-util-character';
import type { Code, Construct, Effects, State } from 'micromark-util-types';
import { codeOfEmojiName } from '../../emoji.ts';

declare module 'micromark-util-types' {
  interface TokenTypeMap {
    emojiName: 'emojiName';
  }
}

const colon = 58;
const nameCharacters = [43, 45, 95];
const longestName = 50;

/** `:name:` in text, if an emoji has this name. Not within a word or path, as in `h:m:s` and `std::x::y`. */
export const emojiName: Construct = {
  name: 'emojiName',
  previous(code) {
    if (code === colon) return this.events.at(-1)?.[1].type === 'emojiName';
    return !asciiAlphanumeric(code);
  },
  tokenize: tokenizeEmojiName,
};

export const emojiNameStart = colon;

function tokenizeEmojiName(effects: Effects, ok: State, nok: State): State {
  let letters = '';
  return start;

  function start(code: Code): State | undefined {
    effects.enter('emojiName');
    effects.consume(code);
    return name;
  }

  function name(code: Code): State | undefined {
    if (code === colon && codeOfEmojiName(letters) !== undefined) {
      effects.consume(code);
      effects.exit('emojiName');
      return ok;
    }
    if (letters.length === longestName || code === null) return nok(code);
    if (!asciiAlphanumeric(code) && !nameCharacters.includes(code)) return nok(code);
    letters += String.fromCharCode(code);
    effects.consume(code);
    return name;
  }
}
