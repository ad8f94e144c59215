import { builder } from '../../../platform/graphql/builder.ts';
import { readInGraph } from '../../../platform/graphql/operations-in-graph.ts';
import { typeOf } from '../../../platform/graphql/resource-type.ts';
import { SpaceType } from '../../places/spaces/graphql.ts';
import { ChangeRequestType } from '../change-requests/graphql.ts';
import { changeRequestPdf, getChangeRequestPdf } from './get-change-request-pdf.ts';
import { getSpacePdf } from './get-space-pdf.ts';
import { selectedPdfLink } from './pdf-selection.ts';
import { pdfLink } from './resources.ts';

const PdfLinkType = typeOf(pdfLink);

readInGraph(getSpacePdf);
builder.objectFields(SpaceType, (t) => ({
  pdf: t.field({
    type: PdfLinkType,
    nullable: true,
    description: `${getSpacePdf.description} Null once the space is deleted.`,
    args: {
      page: t.arg.id({
        description: 'ID of the page to print (`page_…`), with the pages below it. Default: all pages.',
      }),
      only: t.arg.boolean({
        defaultValue: false,
        description: 'Whether to include only the given page, without the pages below it. Requires `page`.',
      }),
    },
    resolve: ({ id, revisionId, deletedAt }, { page, only }, ctx) =>
      deletedAt === null
        ? selectedPdfLink(ctx, { spaceId: id, revisionId }, { pageId: page, only: only ?? false })
        : null,
  }),
}));

readInGraph(getChangeRequestPdf);
builder.objectFields(ChangeRequestType, (t) => ({
  pdf: t.field({
    type: PdfLinkType,
    description: getChangeRequestPdf.description,
    args: {
      page: t.arg.id({
        description: 'ID of the page to print (`page_…`), with the pages below it. Default: all pages.',
      }),
      only: t.arg.boolean({
        defaultValue: false,
        description: 'Whether to include only the given page, without the pages below it. Requires `page`.',
      }),
    },
    resolve: (changeRequest, { page, only }, ctx) =>
      changeRequestPdf(ctx, changeRequest, { pageId: page, only: only ?? false }),
  }),
}));
