/** The beginning of a text, with a note of its length where it is cut. */
export const cutText = (text: string, characters: number): string =>
  text.length <= characters
    ? text
    : `${text.slice(0, characters).toWellFormed()}… (${characters} of ${text.length} characters)`;
