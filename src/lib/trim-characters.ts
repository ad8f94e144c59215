/**
 * A text without the given characters at its end, in one pass. The usual pattern for it, such as `/-+$/`, begins anew at each
 * hyphen of a run that is not at the end, and so takes the square of the run's length.
 */
export function trimEndOf(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** A text without the given characters at its start. */
export function trimStartOf(text: string, characters: string): string {
  let start = 0;
  while (start < text.length && characters.includes(text.charAt(start))) start += 1;
  return text.slice(start);
}

/** A text without the given characters at either end. */
export const trimOf = (text: string, characters: string): string =>
  trimStartOf(trimEndOf(text, characters), characters);
