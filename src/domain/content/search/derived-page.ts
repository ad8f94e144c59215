import type { PageTerms } from '../../../lib/search/page-terms.ts';
import type { StoredSection } from './search-sections.ts';

/** A page whose text follows from a source, so that it is not in the index. */
export interface DerivedPage {
  spaceId: string;
  pageId: string;
  title: string;
  path: string | null;
  description: string;
  /** Titles of the ancestors, from the top level down. */
  ancestors: string[];
  sections: StoredSection[];
  /** The terms that the page is found by. */
  fields: PageTerms['fields'];
  /** Number of words of the page. */
  length: number;
}
