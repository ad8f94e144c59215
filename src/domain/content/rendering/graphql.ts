import { builder } from '../../../platform/graphql/builder.ts';
import { enumType } from '../../../platform/graphql/enums.ts';
import { dereferencing, evaluation, markdownReferences } from './enums.ts';
import type { Reading } from './reading.ts';

/** The arguments of a field that gives a body as a document. */
export const readingArguments = builder.args((t) => ({
  evaluated: t.field({
    type: enumType(evaluation),
    description: 'Whether expressions are replaced by their values. Default `FALSE`.',
  }),
  dereferenced: t.field({
    type: enumType(dereferencing),
    description: 'Whether reusable contents stand in the place of the references to them. Default `FALSE`.',
  }),
}));

/** Those of a field that gives it as Markdown. */
export const markdownArguments = builder.args((t) => ({
  ...readingArguments,
  references: t.field({
    type: enumType(markdownReferences),
    description: 'How pages and files of the space are named. Default `STABLE`.',
  }),
}));

/** The graph has checked that the values are those of the enums; their types do not say so. */
export const readingOf = (given: { evaluated?: string | null; dereferenced?: string | null }): Reading => ({
  evaluated: evaluation.parse(given.evaluated ?? 'false'),
  dereferenced: dereferencing.parse(given.dereferenced ?? 'false'),
});

export const markdownReadingOf = (given: Parameters<typeof readingOf>[0] & { references?: string | null }) => ({
  ...readingOf(given),
  references: markdownReferences.parse(given.references ?? 'stable'),
});
