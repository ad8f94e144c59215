import { badInput } from '../../../../platform/errors/errors.ts';

/** Limit for the length of all texts that the partial edits of a call make. Each of them is read as a whole. */
const MAX_CHARACTERS = 1_000_000;

/** Counts the texts that partial edits of a call make. */
export class CharacterCount {
  #count = 0;

  /** Throws BAD_USER_INPUT if there are too many characters. */
  add(characters: number): void {
    this.#count += characters;
    if (this.#count <= MAX_CHARACTERS) return;
    throw badInput(
      ['changes'],
      `edit parts of pages that have more than ${MAX_CHARACTERS} characters in total. Put the edits of a page into one change, or split them into several requests.`,
      'TOO_LONG',
    );
  }
}
