import type { Context } from '../../../platform/context/context.ts';
import { present } from '../../../platform/resource/rest.ts';
import { appUrl } from '../../../platform/resource/urls.ts';
import { loadOrganization, organization as organizationResource } from '../../people/organizations/index.ts';
import { loadUser, user as userResource } from '../../people/users/index.ts';
import { collection as collectionResource, loadCollection } from '../../places/collections/index.ts';
import { loadSpace, space as spaceResource } from '../../places/spaces/index.ts';
import type { RevisionRow } from '../../store/revisions/index.ts';
import {
  changeRequest as changeRequestResource,
  loadChangeRequest,
  shownRevisionType,
} from '../change-requests/index.ts';
import { presentFile } from '../files/index.ts';
import { presentPage } from '../pages/index.ts';
import { presentReusableContent } from '../reusable-contents/index.ts';
import {
  type ContentLocation,
  linkedFile,
  pageAt,
  reusableContentAt,
  revisionIn,
  type VersionedLocation,
} from './content-location.ts';
import type { Version } from './versions.ts';

/** The OpenAPI specification of an organization with a slug, in REST. Undefined if the caller cannot read it. */
export type PresentSpec = (ctx: Context, organizationId: string, slug: string) => Promise<object | undefined>;

let presenterOfSpecs: PresentSpec | undefined;

/** Sets how targets of the kind `openapi` are shown in REST. The module of specifications provides it. */
export const registerSpecTargets = (presenter: PresentSpec): void => {
  presenterOfSpecs = presenter;
};

const presentSpec: PresentSpec = async (ctx, organizationId, slug) => presenterOfSpecs?.(ctx, organizationId, slug);

/** A location in REST; undefined if it does not exist or the caller cannot see it. */
export async function presentLocation(location: ContentLocation, ctx: Context) {
  const { kind } = location;
  if (kind === 'url') return { kind, url: location.url };
  if (location.kind === 'openapi') return presentSpecTarget(location, ctx);
  if (!('version' in location)) return presentPlace(location, ctx);
  const [around, object] = await Promise.all([presentAround(location.version, ctx), presentObject(location, ctx)]);
  return around && object && { kind, ...around, ...object };
}

async function presentSpecTarget({ kind, organizationId, slug }: SpecTarget, ctx: Context) {
  const [organization, openAPISpec] = await Promise.all([
    presentedOrganization(organizationId, ctx),
    presentSpec(ctx, organizationId, slug),
  ]);
  return organization && openAPISpec && { kind, organization, openAPISpec };
}

type SpecTarget = Extract<ContentLocation, { kind: 'openapi' }>;

async function presentPlace(
  { kind, id, organizationId }: Exclude<Extract<ContentLocation, { organizationId: string }>, SpecTarget>,
  ctx: Context,
) {
  if (kind === 'user') {
    const user = await loadUser(ctx, id);
    return user && { kind, user: await present(userResource, user, ctx) };
  }
  const organization = await presentedOrganization(organizationId, ctx);
  if (!organization) return undefined;
  if (kind === 'space') {
    const space = await loadSpace(ctx, id);
    return space && { kind, organization, space: await present(spaceResource, space, ctx) };
  }
  const collection = await loadCollection(ctx, id);
  return collection && { kind, organization, collection: await present(collectionResource, collection, ctx) };
}

/** The object at the location. A page comes without its descendants, to bound the cost of a list. */
async function presentObject(location: VersionedLocation, ctx: Context) {
  if (location.kind === 'page') {
    const page = await pageAt(ctx, location, { alone: true });
    const { anchor, node } = location;
    const inside = anchor === undefined ? node && { type: 'node', node } : { type: 'anchor', anchor };
    return page && { page: await presentPage(page, ctx), ...(inside && { internalLocation: inside }) };
  }
  if (location.kind === 'file') {
    const file = await linkedFile(ctx, location);
    return file && { file: presentFile(file, ctx, file.organizationId) };
  }
  const reusableContent = await reusableContentAt(ctx, location);
  return reusableContent && { reusableContent: presentReusableContent(ctx, reusableContent) };
}

async function presentAround(version: Version, ctx: Context) {
  const [organization, space, versionContext] = await Promise.all([
    presentedOrganization(version.organizationId, ctx),
    loadSpace(ctx, version.spaceId),
    presentContext(version, ctx),
  ]);
  return organization && space && { organization, space: await present(spaceResource, space, ctx), versionContext };
}

const presentedOrganization = async (id: string, ctx: Context) => {
  const organization = await loadOrganization(ctx, id);
  return organization && present(organizationResource, organization, ctx);
};

async function presentContext(version: Version, ctx: Context) {
  if (version.changeRequestId !== null) {
    const changeRequest = await loadChangeRequest(ctx, version.changeRequestId);
    return (
      changeRequest && {
        type: 'changeRequest',
        changeRequest: await present(changeRequestResource, changeRequest, ctx),
      }
    );
  }
  const revision = await revisionIn(ctx, version);
  return revision && { type: 'revision', revision: await presentBare(revision, ctx) };
}

/** A revision without its content, which would be repeated in every item. */
async function presentBare(revision: RevisionRow, ctx: Context) {
  const { id, spaceId, parents, createdAt, mergedFromId } = revision;
  const changeRequest = mergedFromId === null ? undefined : await loadChangeRequest(ctx, mergedFromId);
  return {
    object: 'revision',
    id,
    type: await shownRevisionType(ctx, revision),
    parents,
    pages: [],
    files: [],
    reusableContents: [],
    tags: [],
    createdAt,
    ...(changeRequest && { mergedFrom: await present(changeRequestResource, changeRequest, ctx) }),
    urls: { app: appUrl(ctx, `/spaces/${spaceId}/revisions/${id}`) },
  };
}
