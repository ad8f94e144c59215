import { builder } from '../../../platform/graphql/builder.ts';
import { connection } from '../../../platform/graphql/connection.ts';
import { enumType } from '../../../platform/graphql/enums.ts';
import { mutation, type PayloadField } from '../../../platform/graphql/mutation.ts';
import { ChangeRequestType } from '../../content/change-requests/graphql.ts';
import { loadChangeRequest } from '../../content/change-requests/index.ts';
import { RevisionType } from '../../content/revisions/graphql.ts';
import { loadRevision } from '../../content/revisions/index.ts';
import { role } from '../../people/access/index.ts';
import { mergeRuleKind } from '../../people/organizations/index.ts';
import { SpaceType } from '../../places/spaces/graphql.ts';
import { loadSpace } from '../../places/spaces/index.ts';
import { MAX_SHOWN } from './conflicts-of.ts';
import { mergeResult, pullResult } from './enums.ts';
import { ConflictType } from './graphql-conflict.ts';
import { conflictList, listConflicts } from './list-conflicts.ts';
import { mergeChangeRequest } from './merge-change-request.ts';
import { type Mergeability, mergeabilityOf } from './mergeability.ts';
import type { Outcome } from './outcome.ts';
import { pullChangeRequest } from './pull-change-request.ts';
import { resolveChangeRequestConflicts } from './resolve-change-request-conflicts.ts';
import type { UnmetRule } from './unmet-rules.ts';

const UnmetRuleType = builder.objectRef<UnmetRule>('UnmetMergeRule').implement({
  description: 'A merge rule that is not met.',
  fields: (t) => ({
    rule: t.expose('rule', { type: enumType(mergeRuleKind), description: 'Which rule.' }),
    message: t.exposeString('message', { description: 'Why, and what would meet it.' }),
  }),
});

const MergeabilityType = builder.objectRef<Mergeability>('Mergeability').implement({
  description: 'Whether a change request would merge now, if you did it, and what is in the way.',
  fields: (t) => ({
    mergeable: t.boolean({
      description: 'Nothing is in the way. False once it is merged.',
      resolve: (mergeability) => mergeability.mergeable(),
    }),
    unmetRules: t.field({
      type: [UnmetRuleType],
      description: 'Merge rules that are not met.',
      resolve: (mergeability) => mergeability.unmetRules(),
    }),
    missingPermission: t.field({
      type: enumType(role),
      nullable: true,
      description: 'The role on the space that you would need; null when you have it.',
      resolve: (mergeability) => mergeability.missingPermission(),
    }),
    conflicts: t.field({
      type: [ConflictType],
      description: `What both sides changed differently: the first ${MAX_SHOWN}. \`ChangeRequest.conflicts\` has all.`,
      resolve: async (mergeability) => (await mergeability.conflicts()).slice(0, MAX_SHOWN),
    }),
  }),
});

builder.objectFields(ChangeRequestType, (t) => ({
  mergeability: t.field({
    type: MergeabilityType,
    description:
      'Whether it would merge now, and what is in the way. Works the merge out, so ask for it where it is shown.',
    resolve: (changeRequest, _args, ctx) => mergeabilityOf(ctx, changeRequest),
  }),
  conflicts: connection(t, {
    type: ConflictType,
    operation: listConflicts,
    without: ['changeRequestId', 'spaceId'],
    from: ({ id }) => ({ changeRequestId: id }),
    list: (changeRequest, _input, ctx) => conflictList(ctx, changeRequest),
  }),
}));

type AnyOutcome = Outcome<'merge' | 'update'>;

/** What every payload shows, read after the command. */
const changed = {
  changeRequest: {
    type: ChangeRequestType,
    nullable: true,
    description: 'The change request as it is now.',
    resolve: ({ changeRequestId }, ctx) => loadChangeRequest(ctx, changeRequestId),
  },
  conflicts: {
    type: [ConflictType],
    description: `What both sides changed differently, when that is the result: the first ${MAX_SHOWN}.`,
    resolve: ({ conflicts }) => conflicts.slice(0, MAX_SHOWN),
  },
} satisfies Record<string, PayloadField<AnyOutcome>>;

const revisionField = (description: string): PayloadField<AnyOutcome> => ({
  type: RevisionType,
  nullable: true,
  description,
  resolve: ({ revisionId }, ctx) => loadRevision(ctx, revisionId),
});

mutation(mergeChangeRequest, {
  result: { type: enumType(mergeResult), description: 'What came of it.', resolve: ({ result }) => result },
  ...changed,
  revision: revisionField("The primary content that it became or, with conflicts, the change request's own revision."),
  space: {
    type: SpaceType,
    nullable: true,
    description: 'The space as it is now.',
    resolve: async ({ changeRequestId }, ctx) => {
      const changeRequest = await loadChangeRequest(ctx, changeRequestId);
      return changeRequest && loadSpace(ctx, changeRequest.spaceId);
    },
  },
});

for (const operation of [pullChangeRequest, resolveChangeRequestConflicts]) {
  mutation(operation, {
    result: { type: enumType(pullResult), description: 'What came of it.', resolve: ({ result }) => result },
    ...changed,
    revision: revisionField('The content of the change request.'),
  });
}
