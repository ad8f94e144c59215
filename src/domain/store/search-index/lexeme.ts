import { hash } from 'node:crypto';
import type { Field } from '../../../lib/search/page-terms.ts';

/** How a field begins its terms in the index. */
const LETTERS: Record<Field, string> = {
  title: 't',
  heading: 'h',
  description: 'd',
  prominent: 'p',
  anywhere: 'a',
};

/**
 * The first letters of an organization's terms. With them, what other organizations wrote takes no time; which
 * organization a row is of is checked nevertheless, since two may have one key.
 */
export const organizationKey = (organizationId: string) => hash('sha256', organizationId, 'base64url').slice(0, 4);

/** A term of a field, as an index entry. Terms are letters, digits and marks alone: nothing to escape. */
export const lexeme = (key: string, field: Field, term: string) => `'${key}${LETTERS[field]}${term}'`;

/** What all entries have that were made for a space. Pages of its duplicates have them too, until they change. */
export const spaceLexeme = (key: string, spaceId: string) =>
  `'${key}s${hash('sha256', spaceId, 'base64url').slice(0, 10)}'`;
