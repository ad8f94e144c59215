import { z } from 'zod';
import { builder } from '../../../platform/graphql/builder.ts';
import { argumentsOf } from '../../../platform/graphql/input.ts';
import { readInGraph } from '../../../platform/graphql/operations-in-graph.ts';
import { typeOf } from '../../../platform/graphql/resource-type.ts';
import { parse } from '../../../platform/operation/operation.ts';
import { DocumentPage } from '../pages/graphql.ts';
import { getPageOutline } from './get-page-outline.ts';
import { getPageText } from './get-page-text.ts';
import { lineRange, pageLines } from './page-lines.ts';
import { pageOutline } from './page-outline.ts';
import { outline, pageText } from './resources.ts';

readInGraph(getPageText);
readInGraph(getPageOutline);

const lines = z.object({
  lines: z
    .object(lineRange)
    .meta({ inputName: 'LineRangeInput', description: 'A range of lines of a text, both included.' })
    .nullish()
    .describe('Lines to read. Default: all.'),
});

/** The lines that the arguments name. */
const rangeIn = (args: unknown) => parse(lines, args).lines ?? {};

builder.objectFields(DocumentPage, (t) => ({
  pageText: t.field({
    type: typeOf(pageText),
    description:
      'Lines of the body as Markdown, as it was written, without the title, with the version that edits of the text can name.',
    args: argumentsOf(lines, 'PageText', t),
    resolve: (view, args, ctx) => pageLines(ctx, view, rangeIn(args)),
  }),
  pageOutline: t.field({
    type: typeOf(outline),
    description:
      'Headings and blocks of the body with their lines, sizes and versions, to read and edit parts of a long page.',
    args: argumentsOf(lines, 'PageOutline', t),
    resolve: (view, args, ctx) => pageOutline(ctx, view, rangeIn(args)),
  }),
}));
