import { builder } from '../../../platform/graphql/builder.ts';
import { connection } from '../../../platform/graphql/connection.ts';
import { readInGraph } from '../../../platform/graphql/coverage.ts';
import { enumType } from '../../../platform/graphql/enums.ts';
import { mutation } from '../../../platform/graphql/mutation.ts';
import { registerNode } from '../../../platform/graphql/node.ts';
import { OrganizationType } from '../../people/organizations/graphql.ts';
import { UserType } from '../../people/users/graphql.ts';
import { loadUser } from '../../people/users/index.ts';
import { SpaceType } from '../../places/spaces/graphql.ts';
import { loadSpace } from '../../places/spaces/index.ts';
import { ChangeRequestType } from '../change-requests/graphql.ts';
import { loadChangeRequest } from '../change-requests/index.ts';
import { ReportEntryType } from '../imports/graphql.ts';
import { RevisionType } from '../revisions/graphql.ts';
import { loadRevision } from '../revisions/index.ts';
import { type ImportRunRow, loadImportReport, loadImportRun } from './access.ts';
import { cancelImportRun } from './cancel-import-run.ts';
import { importRunSourceType, importRunStatus } from './enums.ts';
import { getImportRun } from './get-import-run.ts';
import { filtersOf, importRunsOfOrganization, listImportRuns } from './list-import-runs.ts';
import { startImportRun } from './start-import-run.ts';

const SourceType = builder.objectRef<ImportRunRow['source']>('ImportRunSource').implement({
  description: 'What an import run reads.',
  fields: (t) => ({
    type: t.field({
      type: enumType(importRunSourceType),
      description: 'Of which kind it is.',
      resolve: ({ type }) => type,
    }),
    url: t.field({
      type: 'URL',
      nullable: true,
      description: 'Address of the site; null for uploads.',
      resolve: (source) => (source.type === 'website' ? source.url : null),
    }),
    uploadIds: t.field({
      type: ['ID'],
      description: 'Ids of the uploads, in the order in which they are read; none for a site.',
      resolve: (source) => (source.type === 'file' ? source.files : []),
    }),
  }),
});

const ImportRunType = builder.objectRef<ImportRunRow>('ImportRun').implement({
  description: 'An import in the background.',
  fields: (t) => ({
    status: t.expose('status', { type: enumType(importRunStatus), description: 'How far it is.' }),
    reason: t.exposeString('reason', { nullable: true, description: 'Why it failed; null when it did not.' }),
    source: t.field({ type: SourceType, description: 'What it reads.', resolve: ({ source }) => source }),
    space: t.field({
      type: SpaceType,
      nullable: true,
      description: 'The space that it goes into.',
      resolve: ({ spaceId }, _args, ctx) => loadSpace(ctx, spaceId),
    }),
    changeRequest: t.field({
      type: ChangeRequestType,
      nullable: true,
      description: 'The change request that it goes into; null for the primary content.',
      resolve: ({ changeRequestId: id }, _args, ctx) => (id === null ? null : loadChangeRequest(ctx, id)),
    }),
    pageId: t.exposeID('pageId', {
      nullable: true,
      description: 'The page that the imported ones go below; null for the top.',
    }),
    siteId: t.exposeID('siteId', { nullable: true, description: 'The site that it is for.' }),
    createdBy: t.field({
      type: UserType,
      nullable: true,
      description: 'Who started it.',
      resolve: ({ createdBy }, _args, ctx) => loadUser(ctx, createdBy),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was started.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last went on.' }),
    startedAt: t.expose('startedAt', { type: 'DateTime', nullable: true, description: 'When its turn came.' }),
    completedAt: t.expose('completedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it ended, in whatever way.',
    }),
    pagesFound: t.exposeInt('pagesFound', { description: 'Pages that were found so far.' }),
    pagesRead: t.exposeInt('pagesRead', { description: 'Pages that were read so far.' }),
    pagesWritten: t.exposeInt('pagesWritten', { description: 'Pages that were written: all, once it is completed.' }),
    filesWritten: t.exposeInt('filesWritten', { description: 'Files that were written.' }),
    keptCount: t.exposeInt('keptCount', {
      description: 'How often something could not be taken as it is meant and stays as it was written.',
    }),
    changedCount: t.exposeInt('changedCount', { description: 'How often something is there in another form.' }),
    droppedCount: t.exposeInt('droppedCount', { description: 'How often something was left out.' }),
    report: t.field({
      type: [ReportEntryType],
      description: 'What was not taken as it was, once it is completed; at most 1,000 entries.',
      resolve: async ({ id }, _args, ctx) => (await loadImportReport(ctx, id))?.report ?? [],
    }),
    revision: t.field({
      type: RevisionType,
      nullable: true,
      description: 'The revision that it wrote.',
      resolve: ({ revisionId: id }, _args, ctx) => (id === null ? null : loadRevision(ctx, id)),
    }),
  }),
});

registerNode(ImportRunType, 'import', loadImportRun);
readInGraph(getImportRun);

builder.objectFields(OrganizationType, (t) => ({
  importRuns: connection(t, {
    type: ImportRunType,
    operation: listImportRuns,
    without: ['organizationId'],
    from: ({ id }) => ({ organizationId: id }),
    list: ({ id }, filters, ctx) => importRunsOfOrganization(ctx, id, filtersOf(filters)),
  }),
}));

mutation(startImportRun, {
  importRun: { type: ImportRunType, description: 'The new import run.', resolve: (run) => run },
});

mutation(cancelImportRun, {
  importRun: { type: ImportRunType, description: 'The import run as it is now.', resolve: (run) => run },
});
