/**
 * Removes the given characters from the end of a text, in linear time. A regular expression such as `/-+$/` takes
 * quadratic time, since it starts again at each hyphen of a run that is not at the end.
 */
export function trimEndOf(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** Removes the given characters from the start of a text. */
export function trimStartOf(text: string, characters: string): string {
  let start = 0;
  while (start < text.length && characters.includes(text.charAt(start))) start += 1;
  return text.slice(start);
}

/** Removes the given characters from both ends of a text. */
export const trimOf = (text: string, characters: string): string =>
  trimStartOf(trimEndOf(text, characters), characters);
