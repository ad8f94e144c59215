import type { PlannedPage } from '../../../lib/repository/planned-page.ts';
import { badInput } from '../../../platform/errors/errors.ts';

/** Size of the pages that were read. */
export interface ReadSize {
  pageCount: number;
  /** Characters of the settings of all pages. */
  settingsLength: number;
}

export interface SizeLimits {
  maxPages: number;
  /** Size of the sources of the same import that were read before. */
  earlier?: ReadSize;
}

/** The source has more pages than the limit. */
export class TooManyPages extends Error {
  override name = 'TooManyPages';
  readonly pages: number;

  constructor(pages: number) {
    super(`The source has ${pages} pages.`);
    this.pages = pages;
  }
}

const NOTHING_READ: ReadSize = { pageCount: 0, settingsLength: 0 };

/** Maximum size of the settings of all pages of an import: they are in memory until it is written. */
const MAX_SETTINGS_CHARACTERS = 32 * 1024 * 1024;

/**
 * The size of pages and those below them. Throws `TooManyPages`, or BAD_USER_INPUT if their settings are too large,
 * together with what the import has read before.
 */
export function sizeWithin({ maxPages, earlier = NOTHING_READ }: SizeLimits, pages: readonly PlannedPage[]): ReadSize {
  const pageCount = countPages(pages);
  if (earlier.pageCount + pageCount > maxPages) throw new TooManyPages(earlier.pageCount + pageCount);
  return { pageCount, settingsLength: lengthOfSettings(pages, MAX_SETTINGS_CHARACTERS - earlier.settingsLength) };
}

const countPages = (pages: readonly PlannedPage[]): number =>
  pages.reduce((count, { children }) => count + 1 + countPages(children), 0);

function lengthOfSettings(pages: readonly PlannedPage[], remaining: number): number {
  let characters = 0;
  const visit = ({ children, body: _, written: _text, frontMatter: _front, ...settings }: PlannedPage): void => {
    characters += JSON.stringify(settings).length;
    if (characters > remaining) {
      const message = 'The front matter of all pages together is too large. Remove variables from it.';
      throw badInput(['url'], message, 'TOO_LARGE');
    }
    children.forEach(visit);
  };
  pages.forEach(visit);
  return characters;
}
