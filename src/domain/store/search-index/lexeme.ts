import { hash } from 'node:crypto';
import type { PageField } from '../../../lib/search/page-terms.ts';

/** Prefix of the terms of a field. */
const LETTERS: Record<PageField, string> = {
  whole: 'w',
  title: 't',
  heading: 'h',
  description: 'd',
  prominent: 'p',
  anywhere: 'a',
};

/**
 * Prefix of an organization's terms, so that the content of other organizations does not slow down a search. Prefixes
 * may collide, so the organization of a row is checked as well.
 */
export const organizationKey = (organizationId: string) => hash('sha256', organizationId, 'base64url').slice(0, 4);

/**
 * A term of a field as an index entry. Terms consist of letters, digits, marks, underscores and spaces, so there is
 * nothing to escape.
 */
export const lexeme = (key: string, field: PageField, term: string) => `'${key}${LETTERS[field]}${term}'`;

/** A term of all entries that were created for a space. Pages of its duplicates have it as well until they change. */
export const spaceLexeme = (key: string, spaceId: string) =>
  `'${key}s${hash('sha256', spaceId, 'base64url').slice(0, 10)}'`;
