import { z } from 'zod';
import { isPublicCaller, onlySpacesOf } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context/context.ts';
import { resource } from '../../../platform/resource/resource.ts';
import { appUrl, locationUrl } from '../../../platform/resource/urls.ts';
import { loadUser, user } from '../../people/users/index.ts';
import type { ChangeRequestRow } from './access.ts';
import { changeRequestStatus } from './enums.ts';
import type { Contributor } from './list-contributors.ts';
import { openCommentsOfChangeRequest } from './open-comments.ts';
import { isOutdated } from './outdated.ts';

/** URL of a change request in the REST API. */
export const changeRequestLocation = ({ id, spaceId }: ChangeRequestRow, ctx: Context) =>
  locationUrl(ctx, `/v1/spaces/${spaceId}/change-requests/${id}`);

const changeRequestUrls = resource<ChangeRequestRow>(
  { name: 'ChangeRequestUrls', description: 'API and web URLs of a change request.' },
  (f) => ({
    location: f.url('URL of the change request in the REST API.', changeRequestLocation),
    app: f.url('URL of the change request in the web application.', ({ spaceId, number }, ctx) =>
      appUrl(ctx, `/spaces/${spaceId}/change-requests/${number}`),
    ),
  }),
);

export const changeRequest = resource<ChangeRequestRow>(
  {
    name: 'ChangeRequest',
    object: 'change-request',
    node: 'cr',
    isVersioned: true,
    description: 'A proposed change to the content of a space. It has its own content until it is merged.',
  },
  (f) => ({
    number: f.ordinal(
      'Number of the change request within its space, starting at 1. Numbers are never reused.',
      ({ number }) => number,
    ),
    status: f.enum(changeRequestStatus)('Status of the change request.', ({ status }) => status),
    subject: f.string('Subject of the change request, up to 100 characters. May be empty.', ({ subject }) => subject),
    description: f
      .json()
      .optional(
        'Description of the change request as a document: `{ object: "document", data, nodes }`. Null if it has none.',
        ({ description }) => description,
      ),
    createdAt: f.time('Time when the change request was created.', ({ createdAt }) => createdAt),
    updatedAt: f.time(
      'Time when the content, subject, description or status of the change request last changed.',
      ({ updatedAt }) => updatedAt,
    ),
    createdBy: f
      .object(() => user)
      .optional(
        'User who created the change request.',
        ({ createdBy, creator }, ctx) => creator ?? loadUser.peek(ctx, createdBy),
      ),
    mergedAt: f.time.optional('Time when the change request was merged. Null until then.', ({ mergedAt }) => mergedAt),
    mergedBy: f
      .object(() => user)
      .optional('User who merged the change request. Null until it is merged.', ({ mergedBy }, ctx) =>
        mergedBy === null ? null : loadUser.peek(ctx, mergedBy),
      ),
    space: f.id('space')('ID of the space that the change request belongs to.', ({ spaceId }) => spaceId, {
      graph: false,
    }),
    revision: f.id('rev')('ID of the current revision of the change request.', ({ revisionId }) => revisionId, {
      graph: false,
    }),
    revisionInitial: f.id('rev')(
      'ID of the revision of the space that the change request was created from.',
      ({ revisionInitialId }) => revisionInitialId,
      { graph: false },
    ),
    revisionMergedAncestor: f
      .id('rev')
      .optional(
        'ID of the latest revision of the space that was pulled into the change request.',
        ({ revisionMergedAncestorId }) => revisionMergedAncestorId,
        { graph: false },
      ),
    revisionMerged: f
      .id('rev')
      .optional(
        'ID of the revision of the space that merging the change request created.',
        ({ revisionMergedId }) => revisionMergedId,
        { graph: false },
      ),
    conversationsIssuesCluster: f
      .id('cluster')
      .optional(
        'ID of the cluster of issues that the change request was created for, if any.',
        ({ issuesClusterId }, { actor }) => (onlySpacesOf(actor) === undefined ? issuesClusterId : null),
        { graph: false },
      ),
    openCommentsCount: f.count(
      'Number of open comments on the change request. 0 if you cannot see them.',
      ({ id }, ctx) => (isPublicCaller(ctx.actor) ? 0 : openCommentsOfChangeRequest(ctx, id)),
      { rest: 'comments' },
    ),
    outdated: f.boolean(
      'Whether the primary content has changed since the change request was created or last updated. False once the change request is merged.',
      (row, ctx) => isOutdated(ctx, row),
    ),
    urls: f.object(() => changeRequestUrls)('URLs of the change request.', (row) => row),
  }),
);

/** REST only: in the graph a contributor is the user. */
export const contributor = resource<Contributor>(
  { name: 'Contributor', description: 'A user who created a change request or edited its content.' },
  (f) => ({
    user: f.object(() => user)('The contributor.', (row) => row),
    count: f.count('Number of revisions that the user created in the change request.', ({ revisions }) => revisions),
    updatedAt: f.time(
      'Time when the user created their latest revision, or the change request if they created no revision.',
      ({ contributedAt }) => contributedAt,
    ),
    actionType: f.json<'edit'>(z.literal('edit'))('Kind of contribution.', () => 'edit'),
  }),
);
