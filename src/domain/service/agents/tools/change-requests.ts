import { z } from 'zod';
import { badInput } from '../../../../platform/errors/errors.ts';
import { getChangeRequest as getRow } from '../../../content/change-requests/index.ts';
import { comparePages } from '../../../content/dry-runs/index.ts';
import { listChangeRequestChanges, revisionsOfChanges } from '../../../review/changes/index.ts';
import { mergeabilityOf } from '../../../review/merges/index.ts';
import { listTool, pagedTool, tool } from '../tool.ts';
import {
  appUrls,
  CONFLICT_REMEDY,
  changeRequestId,
  conflictOf,
  conflictShape,
  dryRun,
  previewShape,
  spaceId,
  userShape,
} from './names.ts';

const named = { spaceId, changeRequestId };

const description = z.string().max(50_000).optional().describe('What was changed and why, as Markdown.');

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

export const listChangeRequests = listTool({
  name: 'listChangeRequests',
  description: 'Lists the change requests of a space, latest update first.',
  input: {
    spaceId,
    status: z
      .enum(['all', 'draft', 'open', 'archived', 'merged'])
      .default('all')
      .describe('Only those with this status.'),
  },
  item: changeRequestShape,
  list: ({ spaceId, status }) => ['listChangeRequestsForSpace', { params: { spaceId }, query: { status } }],
});

export const getChangeRequest = tool({
  name: 'getChangeRequest',
  description: 'Gets a change request with its status.',
  effect: 'reads',
  input: z.strictObject(named),
  output: changeRequestShape,
  run: (agent, params) => agent.rest('getChangeRequestById', { params }),
});

export const createChangeRequest = tool({
  name: 'createChangeRequest',
  description:
    'Creates a change request: a proposed set of changes to a space, which people review and merge. Reuse it for all edits of one task.',
  effect: 'adds',
  input: z.strictObject({
    spaceId,
    subject: z.string().min(1).max(100).describe('Subject: what the change does, for its reviewers.'),
    questionClusterId: z
      .string()
      .max(200)
      .optional()
      .describe('ID of the cluster of questions (`cluster_…`) that the change answers.'),
  }),
  output: changeRequestShape,
  run: (agent, { spaceId, subject, questionClusterId }) =>
    agent.rest('createChangeRequest', {
      params: { spaceId },
      body: { subject, conversationsIssuesCluster: questionClusterId },
    }),
});

export const updateChangeRequest = tool({
  name: 'updateChangeRequest',
  description:
    'Changes the subject, description or status of a change request. Set `open` when it is ready for review.',
  effect: 'overwrites',
  input: z.strictObject({
    ...named,
    subject: z.string().max(100).optional(),
    description,
    status: z.enum(['draft', 'open', 'archived']).optional(),
  }),
  output: changeRequestShape,
  run: (agent, { subject, description, status, ...params }) =>
    agent.rest('updateChangeRequestById', { params, body: { subject, status, ...described(description) } }),
});

const position = z
  .string()
  .regex(/^\d{1,9}$/, 'must be the nextCursor of the previous answer')
  .transform(Number);

export const getChangeRequestDiff = pagedTool({
  name: 'getChangeRequestDiff',
  description: 'Lists the pages that a change request changes, with a unified diff of each text.',
  input: named,
  item: previewShape.shape.pages.element,
  async page({ ctx }, given, { cursor, limit }) {
    const parsed = position.safeParse(cursor ?? '0');
    if (!parsed.success) throw badInput(['cursor'], 'must be the nextCursor of the previous answer.');
    const from = parsed.data;
    const changeRequest = await getRow(ctx, given);
    await listChangeRequestChanges(ctx, given);
    const { before, after } = await revisionsOfChanges(ctx, changeRequest);
    const { pages, pagesCount } = await comparePages(ctx, { before, after }, { from, size: limit });
    return { items: pages, nextCursor: from + limit < pagesCount ? String(from + limit) : undefined };
  },
});

export const getMergeability = tool({
  name: 'getMergeability',
  description:
    'Says whether a change request could be merged now, and what prevents it: rules that are not met, a missing role, or conflicts with the primary content, with what to do.',
  effect: 'reads',
  input: z.strictObject(named),
  output: z.object({
    mergeable: z.boolean(),
    unmetRules: z.array(z.object({ rule: z.string(), message: z.string() })),
    missingRole: z.string().nullable().describe('Role on the space that merging requires and you do not have.'),
    conflicts: z.array(conflictShape),
    remedy: z.string().optional().describe('What to do about the conflicts.'),
  }),
  async run(agent, params) {
    const changeRequest = await getRow(agent.ctx, params);
    const found = mergeabilityOf(agent.ctx, changeRequest);
    const listed = (await agent.rest('listChangeRequestConflicts', { params })) as { items: Record<string, unknown>[] }; // its schema
    const conflicts = listed.items.map(conflictOf);
    return {
      mergeable: await found.mergeable(),
      unmetRules: await found.unmetRules(),
      missingRole: await found.missingPermission(),
      conflicts,
      ...(conflicts.length > 0 && { remedy: CONFLICT_REMEDY }),
    };
  },
});

const pullShape = z.object({
  result: z.enum(['update', 'conflicts']).describe('`conflicts` if nothing was changed because of conflicts.'),
  revision: z.string().describe('ID of the current revision of the change request.'),
  conflicts: z.array(conflictShape).optional(),
  remedy: z.string().optional().describe('What to do about the conflicts.'),
  preview: previewShape.optional(),
});

function pulled(answer: unknown) {
  const { conflicts, ...rest } = answer as { conflicts?: Record<string, unknown>[] }; // the outcome of an update
  return { ...rest, ...(conflicts && { conflicts: conflicts.map(conflictOf), remedy: CONFLICT_REMEDY }) };
}

export const updateFromMain = tool({
  name: 'updateFromMain',
  description:
    'Updates a change request with the changes of the primary content since it was created. Conflicts come back as data, and nothing is changed then.',
  effect: 'adds',
  input: z.strictObject({ ...named, dryRun }),
  output: pullShape,
  run: async (agent, { dryRun, ...params }) =>
    pulled(await agent.rest('updateChangeRequest', { params, body: { dryRun } })),
});

export const resolveConflicts = tool({
  name: 'resolveConflicts',
  description:
    'Updates a change request from the primary content and resolves all conflicts at once. Send one resolution for each conflict that updateFromMain or getMergeability lists.',
  effect: 'overwrites',
  input: z.strictObject({
    ...named,
    resolutions: z
      .array(
        z.strictObject({
          conflictId: z.string().max(100),
          choice: z.enum(['base', 'ours', 'theirs']).optional().describe('Uses one of the three versions.'),
          markdown: z.string().max(200_000).optional().describe('Replaces the block or text with this, instead.'),
        }),
      )
      .min(1)
      .max(500)
      .describe('One for each conflict, with `choice` or `markdown`.'),
    dryRun,
  }),
  output: pullShape,
  run: async (agent, { resolutions, dryRun, ...params }) =>
    pulled(await agent.rest('resolveChangeRequestConflicts', { params, body: { resolutions, dryRun } })),
});

export const mergeChangeRequest = tool({
  name: 'mergeChangeRequest',
  description:
    'Merges a change request into the primary content. Only if your user asked you to merge this change request. Conflicts come back as data, and nothing is changed then.',
  effect: 'overwrites',
  scope: 'merge',
  input: z.strictObject({ ...named, dryRun }),
  output: pullShape.extend({
    result: z.enum(['merge', 'conflicts']).describe('`conflicts` if nothing was changed because of conflicts.'),
    revision: z.string().describe('ID of the revision of the space after the merge.'),
  }),
  run: async (agent, { dryRun, ...params }) =>
    pulled(await agent.rest('mergeChangeRequest', { params, body: { dryRun } })),
});

export const requestReview = tool({
  name: 'requestReview',
  description: 'Asks members to review a change request, and sets its subject and description for them.',
  effect: 'sends',
  input: z.strictObject({
    ...named,
    users: z.array(z.string().max(200)).min(1).max(20).describe('IDs of the reviewers, from listMembers.'),
    subject: z.string().max(100).optional(),
    description,
  }),
  output: z.object({ users: z.array(z.object({ user: userShape.optional(), createdAt: z.string() })) }),
  run: (agent, { users, subject, description, ...params }) =>
    agent.rest('requestReviewersForChangeRequest', {
      params,
      body: { users, subject, ...described(description) },
    }),
});
