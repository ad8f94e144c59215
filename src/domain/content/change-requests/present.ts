import { z } from 'zod';
import type { Context } from '../../../platform/context.ts';
import { addressIn, countIn, idIn, namedShape, objectIs, timeIn, versionedShape } from '../../../platform/shapes.ts';
import { appUrl, locationUrl } from '../../../platform/urls.ts';
import { VERSIONED } from '../../../platform/version.ts';
import { loadUser, presentUser, userShape } from '../../people/users/index.ts';
import type { ChangeRequestRow } from './access.ts';
import { changeRequestStatus } from './enums.ts';
import type { Contributor } from './list-contributors.ts';
import { openCommentsOfChangeRequest } from './open-comments.ts';
import { isOutdated } from './outdated.ts';

export const changeRequestUrls = ({ id, spaceId, number }: ChangeRequestRow, ctx: Context) => ({
  location: locationUrl(ctx, `/v1/spaces/${spaceId}/change-requests/${id}`),
  app: appUrl(ctx, `/spaces/${spaceId}/change-requests/${number}`),
});

/** REST's ChangeRequest. */
export async function presentChangeRequest(changeRequest: ChangeRequestRow, ctx: Context) {
  const [createdBy, mergedBy, comments, outdated] = await Promise.all([
    userOf(changeRequest.createdBy, ctx),
    userOf(changeRequest.mergedBy, ctx),
    openCommentsOfChangeRequest(ctx, changeRequest.id),
    isOutdated(ctx, changeRequest),
  ]);
  return {
    [VERSIONED]: changeRequest,
    object: 'change-request',
    id: changeRequest.id,
    number: changeRequest.number,
    status: changeRequest.status,
    subject: changeRequest.subject,
    createdAt: changeRequest.createdAt,
    updatedAt: changeRequest.updatedAt,
    space: changeRequest.spaceId,
    revision: changeRequest.revisionId,
    revisionInitial: changeRequest.revisionInitialId,
    comments,
    outdated,
    ...whereSet({
      description: changeRequest.description,
      createdBy,
      mergedAt: changeRequest.mergedAt,
      mergedBy,
      revisionMergedAncestor: changeRequest.revisionMergedAncestorId,
      revisionMerged: changeRequest.revisionMergedId,
      conversationsIssuesCluster: changeRequest.issuesClusterId,
    }),
    urls: changeRequestUrls(changeRequest, ctx),
  };
}

/** REST's ChangeRequestUserContributor. */
export const presentContributor = (contributor: Contributor, ctx: Context) => ({
  updatedAt: contributor.contributedAt,
  count: contributor.revisions,
  user: presentUser(contributor, ctx),
  actionType: 'edit',
});

async function userOf(userId: string | null, ctx: Context) {
  const user = userId === null ? undefined : await loadUser(ctx, userId);
  return user ? presentUser(user, ctx) : null;
}

const whereSet = (members: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));

export const changeRequestShape = versionedShape('ChangeRequest', 'A proposal to change the content of a space.', {
  object: objectIs('change-request'),
  id: idIn('cr'),
  number: z.int().min(1).describe('Its number in the space, from 1.'),
  status: changeRequestStatus.describe('Where it stands.'),
  subject: z.string().describe('What it is about.'),
  description: z.unknown().optional().describe('What it is about, at length.'),
  createdAt: timeIn('When it was begun.'),
  updatedAt: timeIn('When it was last changed.'),
  createdBy: userShape.optional().describe('Who began it.'),
  mergedAt: timeIn('When it was merged.').optional(),
  mergedBy: userShape.optional().describe('Who merged it.'),
  space: idIn('space', 'The space.'),
  revision: idIn('rev', 'Its content.'),
  revisionInitial: idIn('rev', 'The primary content that it began from.'),
  revisionMergedAncestor: idIn('rev', 'The newest primary content that was brought into it.').optional(),
  revisionMerged: idIn('rev', 'The primary content that it became.').optional(),
  conversationsIssuesCluster: idIn('cluster', 'The cluster of issues that it was made for.').optional(),
  comments: countIn('Open comments.'),
  outdated: z.boolean().describe('Whether the primary content has changed since it was begun or updated.'),
  urls: z
    .object({ location: addressIn('Where it is in REST.'), app: addressIn('Where people work on it.') })
    .describe('Addresses.'),
});

export const contributorShape = namedShape('Contributor', 'Somebody who worked on a change request.', {
  user: userShape.describe('Who.'),
  count: countIn('How many revisions they wrote in it.'),
  updatedAt: timeIn('When they wrote the last one; of whoever began it and wrote none, when that was.'),
  actionType: z.literal('edit').describe('What they did.'),
});
