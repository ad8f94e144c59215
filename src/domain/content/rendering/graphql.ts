import { builder } from '../../../platform/graphql/builder.ts';
import { enumType } from '../../../platform/graphql/enums.ts';
import { dereferencing, evaluation, markdownReferences } from './enums.ts';
import type { ReadingOptions } from './reading-query.ts';

/** Arguments of fields that return a body as a document. */
export const readingArguments = builder.args((t) => ({
  evaluated: t.field({
    type: enumType(evaluation),
    description: 'Whether to replace expressions with their values. Default `FALSE`.',
  }),
  dereferenced: t.field({
    type: enumType(dereferencing),
    description: 'Whether to replace references to reusable contents with their content. Default `FALSE`.',
  }),
}));

/** Arguments of fields that return a body as Markdown. */
export const markdownArguments = builder.args((t) => ({
  ...readingArguments,
  references: t.field({
    type: enumType(markdownReferences),
    description: 'How to refer to pages and files of the space. Default `STABLE`.',
  }),
}));

/** The values were validated as enum values, which their types do not show. */
export const readingOf = (args: { evaluated?: string | null; dereferenced?: string | null }): ReadingOptions => ({
  evaluated: evaluation.parse(args.evaluated ?? 'false'),
  dereferenced: dereferencing.parse(args.dereferenced ?? 'false'),
});

export const markdownReadingOf = (args: Parameters<typeof readingOf>[0] & { references?: string | null }) => ({
  ...readingOf(args),
  references: markdownReferences.parse(args.references ?? 'stable'),
});
