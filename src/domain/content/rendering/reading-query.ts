import { z } from 'zod';
import { parse } from '../../../platform/operation/operation.ts';
import { dereferencing, evaluation, markdownReferences } from './enums.ts';

/** Options for reading a body. */
export interface ReadingOptions {
  evaluated: z.output<typeof evaluation>;
  dereferenced: z.output<typeof dereferencing>;
}

/** Query parameters for documents in REST. */
export const documentQuery = z.object({
  evaluated: evaluation
    .default('false')
    .describe(
      'Whether to replace expressions with their values. Expressions that cannot be evaluated are not changed.',
    ),
  dereferenced: dereferencing
    .default('false')
    .describe('Whether to replace references to reusable contents with their content.'),
});

/** Query parameters for pages with their bodies in REST. */
export const bodyQuery = documentQuery.extend({
  format: z
    .enum(['document', 'markdown'])
    .default('document')
    .describe('Format of the body. Markdown begins with the title of the page, as `# <title>`.'),
  'format.markdown.refs': markdownReferences
    .default('relative')
    .describe('How Markdown refers to pages, files and other content.'),
});

export type BodyQuery = z.output<typeof bodyQuery>;

/** Parses the query parameters. Invalid ones are BAD_USER_INPUT. */
export const readDocumentQuery = (query: unknown): ReadingOptions => parse(documentQuery, query);
export const readBodyQuery = (query: unknown): BodyQuery => parse(bodyQuery, query);
