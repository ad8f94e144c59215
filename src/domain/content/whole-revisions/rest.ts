import type { Context } from '../../../platform/context/context.ts';
import { IMMUTABLE_HEADERS, immutableTag, REVALIDATED } from '../../../platform/http/conditional-requests.ts';
import { listRoute, type Route, resourceResponse, route } from '../../../platform/http/route.ts';
import type { RestInput } from '../../../platform/http/route-input.ts';
import { present, shapeOf } from '../../../platform/resource/rest.ts';
import { hasRoleToRead } from '../../people/access/index.ts';
import { loadGitSync } from '../../store/git-sync/index.ts';
import type { RevisionRow } from '../../store/revisions/index.ts';
import { computedState } from '../computed-sources/index.ts';
import { getRevision, listRevisions, revision } from '../revisions/index.ts';
import { visibleContent } from '../visibility/index.ts';
import { mergedFromOf, wholeRevision } from './resources.ts';

/**
 * Without Git metadata and computed content, a revision is immutable, unless it shows the change request that it
 * merged, or only what a site shows to the caller, who may see more of it later.
 */
const isImmutable = async ({ mergedFromId, spaceId }: RevisionRow, ctx: Context, { query }: RestInput) =>
  query.metadata === 'false' &&
  query.computed === 'false' &&
  mergedFromId === null &&
  (await hasRoleToRead(ctx, spaceId));

/** The revision without Git metadata, if the request excludes it. */
const withRequestedMetadata = (row: RevisionRow, { query }: RestInput) =>
  query.metadata === 'false' ? { ...row, git: null } : row;

const presentation = {
  shape: () => shapeOf(wholeRevision),
  present: (row: RevisionRow, ctx: Context, raw: RestInput) =>
    present(wholeRevision, withRequestedMetadata(row, raw), ctx),
  /**
   * The id of a revision determines its content. Only its Git metadata, the merged change request, computed pages and
   * the parts that the caller sees can change.
   */
  etag: async (row: RevisionRow, ctx: Context, raw: RestInput) =>
    immutableTag(
      ctx,
      row.id,
      JSON.stringify([
        // Addresses of files contain it, and a transfer changes it.
        row.organizationId,
        withRequestedMetadata(row, raw).git,
        withRequestedMetadata(row, raw).git && (await loadGitSync(ctx, row.spaceId))?.commitOid,
        await mergedFromOf(row, ctx),
        await computedState(ctx, row),
        await hasRoleToRead(ctx, row.spaceId),
        // Conditions of the site are no part of the revision.
        (await visibleContent(ctx, row))?.key,
      ]),
    ),
};

export const revisionRoutes: Route[] = [
  route('GET', '/v1/spaces/:spaceId/content', getRevision, {
    operationId: 'getCurrentRevision',
    ...presentation,
    headers: () => REVALIDATED,
  }),
  listRoute('/v1/spaces/:spaceId/revisions', listRevisions, {
    operationId: 'listRevisionsInSpace',
    response: resourceResponse(revision),
  }),
  route('GET', '/v1/spaces/:spaceId/change-requests/:changeRequestId/content', getRevision, {
    operationId: 'getRevisionOfChangeRequestById',
    ...presentation,
    headers: () => REVALIDATED,
  }),
  route('GET', '/v1/spaces/:spaceId/revisions/:revisionId', getRevision, {
    operationId: 'getRevisionById',
    ...presentation,
    headers: async (row, ctx, raw) => ((await isImmutable(row, ctx, raw)) ? IMMUTABLE_HEADERS : REVALIDATED),
  }),
];
