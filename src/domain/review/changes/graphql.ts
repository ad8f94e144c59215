import { builder } from '../../../platform/graphql/builder.ts';
import { connection } from '../../../platform/graphql/connection.ts';
import { ChangeRequestType } from '../../content/change-requests/graphql.ts';
import { RevisionType } from '../../content/revisions/graphql.ts';
import { changesBetween } from './change-list.ts';
import { SemanticChangeType } from './graphql-change.ts';
import './graphql-changes.ts';
import { listChangeRequestChanges, revisionsOfChanges } from './list-change-request-changes.ts';
import { changesOfRevision, listRevisionChanges } from './list-revision-changes.ts';

builder.objectFields(RevisionType, (t) => ({
  changes: connection(t, {
    type: SemanticChangeType,
    operation: listRevisionChanges,
    without: ['spaceId', 'revisionId', 'limit', 'metadata', 'computed'],
    from: ({ spaceId, id }) => ({ spaceId, revisionId: id }),
    list: (revision, _input, ctx) => changesOfRevision(ctx, revision),
    nullable: true,
  }),
}));

builder.objectFields(ChangeRequestType, (t) => ({
  changes: connection(t, {
    type: SemanticChangeType,
    operation: listChangeRequestChanges,
    without: ['changeRequestId', 'spaceId', 'limit'],
    from: ({ id }) => ({ changeRequestId: id }),
    async list(changeRequest, _input, ctx) {
      const { before, after } = await revisionsOfChanges(ctx, changeRequest);
      return changesBetween(ctx, before, after);
    },
  }),
}));
