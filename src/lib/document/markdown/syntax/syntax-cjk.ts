import { cjkFriendlyExtension } from 'micromark-extension-cjk-friendly';
import { gfmStrikethroughCjkFriendly } from 'micromark-extension-cjk-friendly-gfm-strikethrough';
import { classifyCharacter, isCjk } from 'micromark-extension-cjk-friendly-util';
import type { Extension } from 'micromark-util-types';

/**
 * Blocks of Unicode with Chinese, Japanese and Korean characters, and the surrogates of those beyond the first plane.
 */
const CJK =
  /[\u1100-\u11ff\u2e80-\ua4cf\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe10-\ufe1f\ufe30-\ufe6f\uff00-\uffef\ud81b-\ud823\ud82b\ud82c\ud840-\ud8bf]/;

/**
 * The syntax of emphasis next to Chinese, Japanese and Korean characters, as in `**注意：**これ`, which CommonMark does not
 * recognize because it expects spaces between words. Empty for texts without such characters.
 */
export const cjkEmphasis = (text: string): Extension[] => (CJK.test(text) ? [cjkFriendlyExtension()] : []);

/** The same with strikethrough, which must follow the syntax of GFM. */
export const cjkSyntax = (text: string): Extension[] =>
  CJK.test(text) ? [cjkFriendlyExtension(), gfmStrikethroughCjkFriendly()] : [];

/** Whether emphasis can begin and end next to a character as it can next to a space. */
export function isCjkCharacter(character: string): boolean {
  const code = character.codePointAt(0);
  return code !== undefined && CJK.test(character) && isCjk(classifyCharacter(code));
}
