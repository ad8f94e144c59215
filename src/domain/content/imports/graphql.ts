import { builder } from '../../../platform/graphql/builder.ts';
import { enumType } from '../../../platform/graphql/enums.ts';
import { mutation, type PayloadField } from '../../../platform/graphql/mutation.ts';
import { SpaceType } from '../../places/spaces/graphql.ts';
import { getSpace } from '../../places/spaces/index.ts';
import { ChangeRequestType } from '../change-requests/graphql.ts';
import { getChangeRequest } from '../change-requests/index.ts';
import { RevisionType } from '../revisions/graphql.ts';
import { loadRevision } from '../revisions/index.ts';
import { outcome, severity } from './enums.ts';
import { importChangeRequestContent } from './import-change-request-content.ts';
import type { ImportReport } from './import-input.ts';
import { importSpaceContent } from './import-space-content.ts';

export const ReportEntryType = builder.objectRef<ImportReport['report'][number]>('ImportReportEntry').implement({
  description: 'One thing that an import did not take as it was.',
  fields: (t) => ({
    severity: t.expose('severity', { type: enumType(severity), description: 'How much it matters.' }),
    outcome: t.expose('outcome', { type: enumType(outcome), description: 'What became of it.' }),
    file: t.exposeString('file', { description: 'The file in the archive, or the address of the page.' }),
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
    description: 'Pages and used files that there were.',
    resolve: ({ totalResources }) => totalResources,
  },
  keptCount: {
    type: 'Int',
    description: 'How often something could not be taken as it is meant and stays as it was written.',
    resolve: ({ keptCount }) => keptCount,
  },
  changedCount: {
    type: 'Int',
    description: 'How often something is there in another form.',
    resolve: ({ changedCount }) => changedCount,
  },
  droppedCount: {
    type: 'Int',
    description: 'How often something was left out.',
    resolve: ({ droppedCount }) => droppedCount,
  },
  report: {
    type: [ReportEntryType],
    description: 'What was not taken as it was; at most 1,000 entries.',
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
