import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { notFound } from '../../../platform/errors/errors.ts';
import { listRoute, type Route, resourceResponse, route } from '../../../platform/http/route.ts';
import type { RestInput } from '../../../platform/http/route-input.ts';
import type { Resource } from '../../../platform/resource/field.ts';
import { present, shapeOf } from '../../../platform/resource/rest.ts';
import { locationUrl } from '../../../platform/resource/urls.ts';
import { loadSiteExternalLink, loadSiteSection, loadSiteSectionGroup, loadSiteSpace } from '../navigation/index.ts';
import { addSectionToGroup } from './add-section-to-group.ts';
import { addSiteExternalLink } from './add-site-external-link.ts';
import { addSiteSection } from './add-site-section.ts';
import { addSiteSectionGroup } from './add-site-section-group.ts';
import { addSiteSpace } from './add-site-space.ts';
import { deleteSiteExternalLink } from './delete-site-external-link.ts';
import { deleteSiteSection } from './delete-site-section.ts';
import { deleteSiteSectionGroup } from './delete-site-section-group.ts';
import { deleteSiteSpace } from './delete-site-space.ts';
import { duplicateSiteSpace } from './duplicate-site-space.ts';
import { getSiteExternalLink } from './get-site-external-link.ts';
import { getSiteSection } from './get-site-section.ts';
import { getSiteSectionGroup } from './get-site-section-group.ts';
import { getSiteSpace } from './get-site-space.ts';
import { getSiteStructure } from './get-site-structure.ts';
import { listSiteSectionGroups } from './list-site-section-groups.ts';
import { listSiteSections } from './list-site-sections.ts';
import { listSiteSpaces } from './list-site-spaces.ts';
import { moveSiteSection } from './move-site-section.ts';
import { moveSiteSectionGroup } from './move-site-section-group.ts';
import { moveSiteSpace } from './move-site-space.ts';
import { idOfPointer, issueOfPointer, pointerPosition, sortBody } from './position-from-rest.ts';
import { removeSectionFromGroup } from './remove-section-from-group.ts';
import {
  presentStructure,
  resourceOfKind,
  siteExternalLink,
  siteSection,
  siteSectionGroup,
  siteSpace,
  structureShape,
} from './resources.ts';
import { sortSiteStructure } from './sort-site-structure.ts';
import { updateSiteExternalLink } from './update-site-external-link.ts';
import { updateSiteSection } from './update-site-section.ts';
import { updateSiteSectionGroup } from './update-site-section-group.ts';
import { updateSiteSpace } from './update-site-space.ts';

const SITE = '/v1/orgs/:organizationId/sites/:siteId';

/** Answers with the row that a command names, as it is after the commit. */
function responseWith<Output, Row>(
  of: Resource<Row>,
  idOf: (output: Output) => string,
  load: (ctx: Context, id: string) => Promise<Row | undefined>,
) {
  return {
    response: resourceResponse(of, async (output: Output, ctx) => {
      const row = await load(ctx, idOf(output));
      if (!row) throw notFound(of.object ?? of.name, idOf(output));
      return row;
    }),
  };
}

/** The `Location` of a new resource, below its site. */
const location =
  <Output>(path: string, idOf: (output: Output) => string) =>
  (output: Output, ctx: Context, { params }: RestInput) => ({
    location: locationUrl(ctx, `/v1/orgs/${params.organizationId}/sites/${params.siteId}/${path}/${idOf(output)}`),
  });

const idOfSpace = ({ siteSpaceId }: { siteSpaceId: string }) => siteSpaceId;
const idOfSection = ({ siteSectionId }: { siteSectionId: string }) => siteSectionId;
const idOfGroup = ({ siteSectionGroupId }: { siteSectionGroupId: string }) => siteSectionGroupId;
const idOfLink = ({ siteExternalLinkId }: { siteExternalLinkId: string }) => siteExternalLinkId;

const siteSpaceChanged = responseWith(siteSpace, idOfSpace, loadSiteSpace);
const sectionChanged = responseWith(siteSection, idOfSection, loadSiteSection);
const groupChanged = responseWith(siteSectionGroup, idOfGroup, loadSiteSectionGroup);
const linkChanged = responseWith(siteExternalLink, idOfLink, loadSiteExternalLink);

const created = { status: 201 } as const;

const siteSpaceRoutes: Route[] = [
  listRoute(`${SITE}/site-spaces`, listSiteSpaces, {
    operationId: 'listSiteSpaces',
    response: resourceResponse(siteSpace),
  }),
  route('POST', `${SITE}/site-spaces`, addSiteSpace, {
    operationId: 'addSpaceToSite',
    ...created,
    headers: location('site-spaces', idOfSpace),
    ...siteSpaceChanged,
  }),
  route('GET', `${SITE}/site-spaces/:siteSpaceId`, getSiteSpace, {
    operationId: 'getSiteSpaceById',
    response: resourceResponse(siteSpace),
  }),
  route('PATCH', `${SITE}/site-spaces/:siteSpaceId`, updateSiteSpace, {
    operationId: 'updateSiteSpaceById',
    ...siteSpaceChanged,
  }),
  route('DELETE', `${SITE}/site-spaces/:siteSpaceId`, deleteSiteSpace, { operationId: 'deleteSiteSpaceById' }),
  route('POST', `${SITE}/site-spaces/:siteSpaceId/move`, moveSiteSpace, {
    operationId: 'moveSiteSpace',
    ...pointerPosition('site-space', 'siteSpace'),
    ...siteSpaceChanged,
  }),
  route('POST', `${SITE}/site-spaces/:siteSpaceId/duplicate`, duplicateSiteSpace, {
    operationId: 'duplicateSiteSpace',
    ...created,
    headers: location('site-spaces', idOfSpace),
    ...siteSpaceChanged,
  }),
];

const sectionRoutes: Route[] = [
  listRoute(`${SITE}/sections`, listSiteSections, {
    operationId: 'listSiteSections',
    response: resourceResponse(siteSection),
  }),
  route('POST', `${SITE}/sections`, addSiteSection, {
    operationId: 'addSectionToSite',
    ...created,
    headers: location('sections', idOfSection),
    ...sectionChanged,
  }),
  route('GET', `${SITE}/sections/:siteSectionId`, getSiteSection, {
    operationId: 'getSiteSectionById',
    response: resourceResponse(siteSection),
  }),
  route('PATCH', `${SITE}/sections/:siteSectionId`, updateSiteSection, {
    operationId: 'updateSiteSectionById',
    rename: { defaultSiteSpace: 'defaultSiteSpaceId' },
    ...sectionChanged,
  }),
  route('DELETE', `${SITE}/sections/:siteSectionId`, deleteSiteSection, { operationId: 'deleteSiteSectionById' }),
  route('POST', `${SITE}/sections/:siteSectionId/move`, moveSiteSection, {
    operationId: 'moveSiteSection',
    ...pointerPosition('site-section', 'siteSection'),
    ...sectionChanged,
  }),
];

const groupRoutes: Route[] = [
  listRoute(`${SITE}/section-groups`, listSiteSectionGroups, {
    operationId: 'listSiteSectionGroups',
    response: resourceResponse(siteSectionGroup),
  }),
  route('POST', `${SITE}/section-groups`, addSiteSectionGroup, {
    operationId: 'addSectionGroupToSite',
    rename: { sections: 'sectionIds', parent: 'parentId' },
    ...created,
    headers: location('section-groups', idOfGroup),
    ...groupChanged,
  }),
  route('GET', `${SITE}/section-groups/:siteSectionGroupId`, getSiteSectionGroup, {
    operationId: 'getSiteSectionGroupById',
    response: resourceResponse(siteSectionGroup),
  }),
  route('PATCH', `${SITE}/section-groups/:siteSectionGroupId`, updateSiteSectionGroup, {
    operationId: 'updateSiteSectionGroupById',
    ...groupChanged,
  }),
  route('DELETE', `${SITE}/section-groups/:siteSectionGroupId`, deleteSiteSectionGroup, {
    operationId: 'deleteSiteSectionGroupById',
  }),
  route('POST', `${SITE}/section-groups/:siteSectionGroupId/move`, moveSiteSectionGroup, {
    operationId: 'moveSiteSectionGroup',
    ...pointerPosition(undefined, 'id'),
    ...groupChanged,
  }),
  route('POST', `${SITE}/section-groups/:siteSectionGroupId/sections`, addSectionToGroup, {
    operationId: 'addSectionToGroup',
    ...created,
    headers: location('section-groups', idOfGroup),
    ...groupChanged,
  }),
  route('DELETE', `${SITE}/section-groups/:siteSectionGroupId/sections/:siteSectionId`, removeSectionFromGroup, {
    operationId: 'removeSectionFromGroup',
  }),
];

const linkRoutes: Route[] = [
  route('POST', `${SITE}/external-links`, addSiteExternalLink, {
    operationId: 'addExternalLinkToSite',
    rename: { parent: 'parentId' },
    ...created,
    headers: location('external-links', idOfLink),
    ...linkChanged,
  }),
  route('GET', `${SITE}/external-links/:siteExternalLinkId`, getSiteExternalLink, {
    operationId: 'getSiteExternalLinkById',
    response: resourceResponse(siteExternalLink),
  }),
  route('PATCH', `${SITE}/external-links/:siteExternalLinkId`, updateSiteExternalLink, {
    operationId: 'updateSiteExternalLinkById',
    rename: { parent: 'parentId' },
    ...linkChanged,
  }),
  route('DELETE', `${SITE}/external-links/:siteExternalLinkId`, deleteSiteExternalLink, {
    operationId: 'deleteSiteExternalLinkById',
  }),
];

/** The item that `sortSiteStructure` moved, in the shape of its kind. */
async function presentMoved({ itemId }: { itemId: string }, ctx: Context): Promise<unknown> {
  const siteSpaceRow = itemId.startsWith('sitespace_') ? await loadSiteSpace(ctx, itemId) : undefined;
  if (siteSpaceRow) return present(siteSpace, siteSpaceRow, ctx);
  const loads = [loadSiteSection, loadSiteSectionGroup, loadSiteExternalLink];
  const [row] = (await Promise.all(loads.map((load) => load(ctx, itemId)))).filter((item) => item !== undefined);
  if (!row) throw notFound('item', itemId);
  return present(resourceOfKind()[row.kind], row, ctx);
}

const movedShape = () =>
  z
    .union([siteSpace, siteSection, siteSectionGroup, siteExternalLink].map((item) => shapeOf(item as Resource<never>)))
    .meta({ id: 'SiteStructureItem', description: 'An item of the navigation of a site.', isVersioned: true });

export const structureRoutes: Route[] = [
  route('GET', `${SITE}/structure`, getSiteStructure, {
    operationId: 'getSiteStructure',
    shape: structureShape,
    present: ({ id }, ctx) => presentStructure(ctx, id),
  }),
  route('PATCH', `${SITE}/structure/sort`, sortSiteStructure, {
    operationId: 'sortSiteStructure',
    body: sortBody,
    issueInRest: (issue) => issueOfPointer(issue, 'id'),
    rename: { item: 'itemId' },
    renameInside: { before: 'beforeId', after: 'afterId' },
    toInput: ({ itemId, position, ...rest }) =>
      ({
        ...rest,
        itemId: idOfPointer(itemId),
        position: pointerPosition(undefined, 'id').positionOf(position),
      }) as Parameters<typeof sortSiteStructure>[1], // untrusted; the operation checks it
    shape: movedShape,
    present: presentMoved,
  }),
  ...siteSpaceRoutes,
  ...sectionRoutes,
  ...groupRoutes,
  ...linkRoutes,
];
