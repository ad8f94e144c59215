import { z } from 'zod';
import { parse } from '../../../platform/operation.ts';
import { dereferencing, evaluation, markdownReferences } from './enums.ts';

/** How somebody wants to read a body. */
export interface Reading {
  evaluated: z.output<typeof evaluation>;
  dereferenced: z.output<typeof dereferencing>;
}

/** As it was written. */
export const VERBATIM: Reading = { evaluated: 'false', dereferenced: 'false' };

/** REST's query parameters of a body. */
export const documentQuery = z.object({
  evaluated: evaluation
    .default('false')
    .describe('Whether expressions are replaced by their values; those that cannot be evaluated stay.'),
  dereferenced: dereferencing
    .default('false')
    .describe('Whether reusable contents stand in the place of the references to them.'),
});

/** Those of a page with its body. */
export const bodyQuery = documentQuery.extend({
  format: z.enum(['document', 'markdown']).default('document').describe('The form of the body.'),
  'format.markdown.refs': markdownReferences
    .default('relative')
    .describe('How Markdown names pages and files of its space.'),
});

export type BodyQuery = z.output<typeof bodyQuery>;

/** What a query asks for; anything else is refused. */
export const readDocumentQuery = (query: unknown): Reading => parse(documentQuery, query);
export const readBodyQuery = (query: unknown): BodyQuery => parse(bodyQuery, query);
