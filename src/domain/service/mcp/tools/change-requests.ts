import { z } from 'zod';
import { badInput } from '../../../../platform/errors/errors.ts';
import { cursorCodec } from '../../../../platform/paging/cursor.ts';
import { runAdmitted } from '../../../../platform/query-cost/admission.ts';
import { present } from '../../../../platform/resource/rest.ts';
import { getChangeRequest as getRow } from '../../../content/change-requests/index.ts';
import {
  changesBesidesPages,
  differingPages,
  type PagePreview,
  previewPages,
} from '../../../content/dry-runs/index.ts';
import { listChangeRequestChanges, revisionsOfChanges } from '../../../review/changes/index.ts';
import { mergeability, mergeabilityOf } from '../../../review/merges/index.ts';
import { fitsInResult } from '../result.ts';
import { listTool, nextCursor, paging, tool } from '../tool.ts';
import {
  anyId,
  appUrls,
  CONFLICT_REMEDY,
  changeFlags,
  changeRequestIdInput,
  clusterIdInput,
  conflictOf,
  conflictRemedy,
  conflictShape,
  conflictsShape,
  dryRunInput,
  pageChangeShape,
  previewShape,
  spaceIdInput,
  userShape,
  withConflicts,
} from './names.ts';

const named = { spaceId: spaceIdInput, changeRequestId: changeRequestIdInput };

const description = z.string().max(50_000).optional().describe('What was changed and why, as Markdown.');

const DESCRIPTION_NAMES = { 'description.markdown': 'description' };

const described = (markdown: string | undefined) => (markdown === undefined ? {} : { description: { markdown } });

const changeRequestShape = z.object({
  id: z.string(),
  number: z.number(),
  status: z.string(),
  subject: z.string(),
  createdBy: userShape.optional(),
  updatedAt: z.string(),
  outdated: z.boolean().describe('Whether the primary content has changed since. Then call updateFromMain.'),
  comments: z.number().describe('Number of open comments.'),
  urls: appUrls,
});

export const listChangeRequestsTool = listTool({
  name: 'listChangeRequests',
  description: 'Lists the change requests of a space, latest update first.',
  input: {
    spaceId: spaceIdInput,
    status: z
      .enum(['all', 'draft', 'open', 'archived', 'merged'])
      .default('all')
      .describe('Only those with this status.'),
  },
  item: changeRequestShape,
  list: ({ spaceId, status }) => ['listChangeRequestsForSpace', { params: { spaceId }, query: { status } }],
});

export const getChangeRequestTool = tool({
  name: 'getChangeRequest',
  description: 'Gets a change request with its status.',
  effect: 'reads',
  input: z.strictObject(named),
  output: changeRequestShape,
  run: (agent, params) => agent.rest('getChangeRequestById', { params }),
});

export const createChangeRequestTool = tool({
  name: 'createChangeRequest',
  description:
    'Creates a change request: a proposed set of changes to a space, which people review and merge. Reuse it for all edits of one task.',
  effect: 'adds',
  input: z.strictObject({
    spaceId: spaceIdInput,
    subject: z.string().min(1).max(100).describe('Subject: what the change does, for its reviewers.'),
    questionClusterId: clusterIdInput
      .optional()
      .describe('ID of the cluster of questions (`cluster_…`) that the change answers.'),
  }),
  output: changeRequestShape,
  rename: { conversationsIssuesCluster: 'questionClusterId' },
  run: (agent, { spaceId, subject, questionClusterId }) =>
    agent.rest('createChangeRequest', {
      params: { spaceId },
      body: { subject, conversationsIssuesCluster: questionClusterId },
    }),
});

export const updateChangeRequestTool = tool({
  name: 'updateChangeRequest',
  description:
    'Changes the subject, description or status of a change request. Set the status `open` when it is ready for review; a token with scopes needs `merge` among them to change the status.',
  effect: 'overwrites',
  input: z.strictObject({
    ...named,
    subject: z.string().max(100).optional(),
    description,
    status: z.enum(['draft', 'open', 'archived']).optional(),
  }),
  output: changeRequestShape,
  rename: DESCRIPTION_NAMES,
  run: (agent, { subject, description, status, ...params }) =>
    agent.rest('updateChangeRequestById', { params, body: { subject, status, ...described(description) } }),
});

const diffShape = z.object({
  items: z.array(pageChangeShape).describe('The changed pages.'),
  ...changeFlags,
  nextCursor,
});

export const getChangeRequestDiffTool = tool({
  name: 'getChangeRequestDiff',
  description:
    'Lists the pages that a change request changes, with a unified diff of each text, and whether it changes anything else.',
  effect: 'reads',
  input: z.strictObject({ ...named, ...paging }),
  output: diffShape,
  run: ({ ctx }, { cursor, limit, ...ids }) =>
    runAdmitted(ctx, limit, async () => {
      const changeRequest = await getRow(ctx, ids);
      await listChangeRequestChanges(ctx, ids); // checks the permission
      const step = await revisionsOfChanges(ctx, changeRequest);
      const codec = cursorCodec(ctx.services.secretKeys, `changeRequest.diff:${step.before.id}:${step.after.id}`, 1);
      const from = cursor === undefined ? 0 : Number(placeIn(cursor, codec)[0]);
      const changed = await differingPages(ctx, step);
      const flags = changesBesidesPages(step);
      const resultWith = (items: PagePreview[]) => {
        const to = from + items.length;
        return diffShape.parse({ items, ...flags, nextCursor: to < changed.length ? codec.encode([to]) : undefined });
      };
      const items: PagePreview[] = [];
      const total = Math.min(limit, changed.length - from);
      ctx.noteStep?.({ done: 0, total, what: 'Compared pages' });
      for await (const { page, isComplete } of previewPages(ctx, step, changed.slice(from, from + limit))) {
        const isFirst = items.length === 0;
        if (!isFirst && !(isComplete && fitsInResult(resultWith([...items, page])))) break;
        items.push(page);
        ctx.noteStep?.({ done: items.length, total, what: 'Compared pages' });
      }
      return resultWith(items);
    }),
});

/** The place of a cursor. Another revision has other pages. */
function placeIn(cursor: string, codec: ReturnType<typeof cursorCodec>): unknown[] {
  try {
    return codec.decode(cursor, ['cursor']);
  } catch {
    throw badInput(
      ['cursor'],
      'is not of this list, or the change request has changed since. Begin again without a cursor.',
      'INVALID_CURSOR',
    );
  }
}

export const listConflictsTool = listTool({
  name: 'listConflicts',
  description:
    'Lists all conflicts of a change request with the primary content, each with its three versions. Empty if there are none.',
  input: named,
  item: conflictShape,
  remedyOf: ({ items }) => (items.length > 0 ? CONFLICT_REMEDY : undefined),
  list: (params) => ['listChangeRequestConflicts', { params }],
  itemOf: conflictOf,
});

/** Number of conflicts that mergeability shows. */
const SHOWN_CONFLICTS = 100;

const mergeabilityShape = z.object({
  mergeable: z.boolean(),
  unmetRules: z.array(z.object({ rule: z.string(), message: z.string() })),
  missingPermission: z
    .string()
    .optional()
    .describe('Role on the space that merging requires. Left out if you have it.'),
  ...conflictsShape,
  conflictsCount: z.number().describe('Number of all conflicts.'),
});

export const getMergeabilityTool = tool({
  name: 'getMergeability',
  description:
    'Says whether a change request could be merged now, and what prevents it: rules that are not met, a missing role, or conflicts with the primary content, with what to do.',
  effect: 'reads',
  input: z.strictObject(named),
  output: mergeabilityShape,
  remedyOf: conflictRemedy,
  run: ({ ctx }, params) =>
    runAdmitted(ctx, SHOWN_CONFLICTS, async () => {
      const state = mergeabilityOf(ctx, await getRow(ctx, params));
      const presented = await present(mergeability, state, ctx);
      const conflictsCount = (await state.conflicts()).length;
      return withConflicts({ ...presented, conflictsCount }, mergeabilityShape);
    }),
});

const pullShape = z.object({
  result: z.enum(['update', 'conflicts']).describe('`conflicts` if nothing was changed because of conflicts.'),
  revision: z.string().describe('ID of the current revision of the change request.'),
  ...conflictsShape,
  preview: previewShape.optional(),
});

export const updateFromMainTool = tool({
  name: 'updateFromMain',
  description:
    'Updates a change request with the changes of the primary content since it was created. Conflicts come back as data, and nothing is changed then.',
  effect: 'adds',
  input: z.strictObject({ ...named, dryRun: dryRunInput }),
  output: pullShape,
  remedyOf: conflictRemedy,
  run: async (agent, { dryRun, ...params }) =>
    withConflicts(await agent.rest('updateChangeRequest', { params, body: { dryRun } }), pullShape),
});

export const resolveConflictsTool = tool({
  name: 'resolveConflicts',
  description:
    'Updates a change request from the primary content and resolves all conflicts at once. Send one resolution for each conflict of listConflicts.',
  effect: 'overwrites',
  input: z.strictObject({
    ...named,
    resolutions: z
      .array(
        z.strictObject({
          conflictId: z.string().min(1).max(100),
          choice: z.enum(['base', 'ours', 'theirs']).optional().describe('Uses one of the three versions.'),
          markdown: z.string().max(200_000).optional().describe('Replaces the block or text with this, instead.'),
        }),
      )
      .min(1)
      .max(5_000)
      .describe('One for each conflict, with `choice` or `markdown`.'),
    dryRun: dryRunInput,
  }),
  output: pullShape,
  remedyOf: conflictRemedy,
  run: async (agent, { resolutions, dryRun, ...params }) =>
    withConflicts(
      await agent.rest('resolveChangeRequestConflicts', { params, body: { resolutions, dryRun } }),
      pullShape,
    ),
});

const mergeShape = pullShape.extend({
  result: z.enum(['merge', 'conflicts']).describe('`conflicts` if nothing was changed because of conflicts.'),
  revision: z.string().describe('ID of the revision of the space after the merge.'),
});

export const mergeChangeRequestTool = tool({
  name: 'mergeChangeRequest',
  description:
    'Merges a change request into the primary content. Only if your user asked you to merge this change request. Conflicts come back as data, and nothing is changed then.',
  effect: 'overwrites',
  scope: 'merge',
  input: z.strictObject({ ...named, dryRun: dryRunInput }),
  output: mergeShape,
  remedyOf: conflictRemedy,
  run: async (agent, { dryRun, ...params }) =>
    withConflicts(await agent.rest('mergeChangeRequest', { params, body: { dryRun } }), mergeShape),
});

export const requestReviewTool = tool({
  name: 'requestReview',
  description:
    'Asks members to review a change request, and sets its subject and description for them. It does not open a draft: updateChangeRequest does.',
  effect: 'sends',
  input: z.strictObject({
    ...named,
    users: z.array(anyId).min(1).max(20).describe('IDs of the reviewers, from listMembers.'),
    subject: z.string().max(100).optional(),
    description,
  }),
  output: z.object({ users: z.array(z.object({ user: userShape.optional(), createdAt: z.string() })) }),
  rename: DESCRIPTION_NAMES,
  run: (agent, { users, subject, description, ...params }) =>
    agent.rest('requestReviewersForChangeRequest', {
      params,
      body: { users, subject, ...described(description) },
    }),
});
