import { builder } from '../../platform/graphql/builder.ts';
import { enumType } from '../../platform/graphql/enums.ts';
import { mutation, type PayloadField } from '../../platform/graphql/mutation.ts';
import { namedEnum } from '../../platform/named-enum.ts';
import { ChangeRequestType } from '../change-requests/graphql.ts';
import { getChangeRequest } from '../change-requests/index.ts';
import { RevisionType } from '../revisions/graphql.ts';
import { loadRevision } from '../revisions/index.ts';
import { SpaceType } from '../spaces/graphql.ts';
import { getSpace } from '../spaces/index.ts';
import { importChangeRequestContent } from './import-change-request-content.ts';
import type { ImportReport } from './import-input.ts';
import { importSpaceContent } from './import-space-content.ts';

const severity = namedEnum('ImportReportSeverity', 'How much an entry of an import report matters.', {
  info: 'Taken in another form; nothing is lost.',
  warning: 'Could not be taken as meant; look at it.',
});

const ReportEntry = builder.objectRef<ImportReport['report'][number]>('ImportReportEntry').implement({
  description: 'One thing that an import did not take as it was.',
  fields: (t) => ({
    severity: t.expose('severity', { type: enumType(severity), description: 'How much it matters.' }),
    file: t.exposeString('file', { description: 'The file in the archive.' }),
    line: t.int({
      nullable: true,
      description: 'The line in that file, from 1, when it is known.',
      resolve: ({ line }) => line ?? null,
    }),
    message: t.exposeString('message', { description: 'What it is about, and what was done.' }),
  }),
});

type Imported = ImportReport & { revisionId: string };

/** What every import answers, beside the thing it imported into. */
const importPayload: Record<string, PayloadField<Imported>> = {
  revision: {
    type: RevisionType,
    description: 'The new revision.',
    resolve: ({ revisionId }, ctx) => loadRevision(ctx, revisionId),
  },
  importedResources: {
    type: 'Int',
    description: 'Pages and files that were imported.',
    resolve: ({ importedResources }) => importedResources,
  },
  totalResources: {
    type: 'Int',
    description: 'Pages and used files that the archive holds.',
    resolve: ({ totalResources }) => totalResources,
  },
  report: {
    type: [ReportEntry],
    description: 'Everything that was not taken as it was.',
    resolve: ({ report }) => report,
  },
};

mutation(importSpaceContent, {
  space: {
    type: SpaceType,
    description: 'The space, at its new revision.',
    resolve: ({ spaceId }, ctx) => getSpace(ctx, { spaceId }),
  },
  ...importPayload,
});

mutation(importChangeRequestContent, {
  changeRequest: {
    type: ChangeRequestType,
    description: 'The change request, at its new revision.',
    resolve: ({ changeRequestId }, ctx) => getChangeRequest(ctx, { changeRequestId }),
  },
  ...importPayload,
});
