const CYRILLIC = new TextDecoder('ibm866');
const JAPANESE = new TextDecoder('shift_jis', { fatal: true });

/**
 * Decodes a name that is not UTF-8 from the code page of Russian or Japanese systems, whose packers do not say so.
 * Undefined if it reads as neither, as names in code page 437 do.
 */
export function legacyName(bytes: Uint8Array): string | undefined {
  const cyrillic = CYRILLIC.decode(bytes);
  const japanese = japaneseIn(bytes);
  const isRussian = isCyrillic(cyrillic);
  if (japanese !== undefined && (hasKana(japanese) || !isRussian)) return japanese;
  return isRussian ? cyrillic : undefined;
}

/** Words of two Cyrillic letters or more, in a usual case, without other letters in them. */
function isCyrillic(name: string): boolean {
  const words = name.match(/[\p{L}\p{S}]+/gu)?.filter((word) => /[^\0-\x7f]/.test(word)) ?? [];
  const isWord = (word: string) => /^(?:\p{Lu}?[\u0430-\u044f\u0451]+|[\u0410-\u042f\u0401]+|№)$/u.test(word);
  const isRest = !/[^\0-\x7f\p{Script=Cyrillic}№]/u.test(name);
  return isRest && words.every(isWord) && words.some((word) => word.length > 1);
}

function japaneseIn(bytes: Uint8Array): string | undefined {
  try {
    const name = JAPANESE.decode(bytes);
    const isPlain = /^[\0-\x7f\u3000-\u30ff\u4e00-\u9fff\uff01-\uff60]*$/.test(name);
    // Read as Shift_JIS, an accented letter of a Western name and the letter after it become one kanji.
    const isWritten = /[\u4e00-\u9fff]{2}/.test(name) && !/[\u4e00-\u9fff][a-z]{2}/.test(name);
    return isPlain && (hasKana(name) || isWritten) ? name : undefined;
  } catch {
    return undefined;
  }
}

const hasKana = (name: string) => /[\u3041-\u30fa]/.test(name);
