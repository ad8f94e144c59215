import type { Context } from '../../platform/context.ts';
import { appUrl, locationUrl } from '../../platform/urls.ts';
import { VERSIONED } from '../../platform/version.ts';
import { loadUser, presentUser } from '../users/index.ts';
import type { ChangeRequestRow } from './access.ts';
import type { Contributor } from './list-contributors.ts';
import { isOutdated } from './outdated.ts';

export const changeRequestUrls = ({ id, space_id, number }: ChangeRequestRow, ctx: Context) => ({
  location: locationUrl(ctx, `/v1/spaces/${space_id}/change-requests/${id}`),
  app: appUrl(ctx, `/spaces/${space_id}/change-requests/${number}`),
});

/** REST's ChangeRequest (specification 2.3, decisions 11). */
export async function presentChangeRequest(changeRequest: ChangeRequestRow, ctx: Context) {
  const [createdBy, mergedBy, outdated] = await Promise.all([
    userOf(changeRequest.created_by, ctx),
    userOf(changeRequest.merged_by, ctx),
    isOutdated(ctx, changeRequest),
  ]);
  return {
    [VERSIONED]: changeRequest,
    object: 'change-request',
    id: changeRequest.id,
    number: changeRequest.number,
    status: changeRequest.status,
    subject: changeRequest.subject,
    createdAt: changeRequest.created_at,
    updatedAt: changeRequest.updated_at,
    space: changeRequest.space_id,
    revision: changeRequest.revision_id,
    revisionInitial: changeRequest.revision_initial_id,
    // No operation posts comments yet, so none can be open.
    comments: 0,
    outdated,
    ...whereSet({
      description: changeRequest.description,
      createdBy,
      mergedAt: changeRequest.merged_at,
      mergedBy,
      revisionMergedAncestor: changeRequest.revision_merged_ancestor_id,
      revisionMerged: changeRequest.revision_merged_id,
      conversationsIssuesCluster: changeRequest.issues_cluster_id,
    }),
    urls: changeRequestUrls(changeRequest, ctx),
  };
}

/** REST's ChangeRequestUserContributor (decisions 10). */
export const presentContributor = (contributor: Contributor, ctx: Context) => ({
  updatedAt: contributor.contributed_at,
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
