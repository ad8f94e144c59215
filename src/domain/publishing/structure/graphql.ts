import type { GraphQLResolveInfo } from 'graphql';
import type { Context } from '../../../platform/context/context.ts';
import { builder } from '../../../platform/graphql/builder.ts';
import { connection } from '../../../platform/graphql/connection.ts';
import { mutation, type PayloadField } from '../../../platform/graphql/mutation.ts';
import { registerNode } from '../../../platform/graphql/node.ts';
import { readInGraph } from '../../../platform/graphql/operations-in-graph.ts';
import { typeOf } from '../../../platform/graphql/resource-type.ts';
import { wantsOf } from '../../../platform/graphql/wants-of-selection.ts';
import type { SiteItemRow, SiteSpaceRow } from '../navigation/index.ts';
import {
  loadSiteExternalLink,
  loadSiteSection,
  loadSiteSectionGroup,
  loadSiteSpace,
  loadSpacesOf,
  structureFor,
} from '../navigation/index.ts';
import { SiteType } from '../sites/graphql.ts';
import { loadSite } from '../sites/index.ts';
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
import { groupsOfSite, listSiteSectionGroups } from './list-site-section-groups.ts';
import { listSiteSections, sectionsOfSite } from './list-site-sections.ts';
import { listSiteSpaces, siteSpacesOfSite } from './list-site-spaces.ts';
import { moveSiteSection } from './move-site-section.ts';
import { moveSiteSectionGroup } from './move-site-section-group.ts';
import { moveSiteSpace } from './move-site-space.ts';
import { removeSectionFromGroup } from './remove-section-from-group.ts';
import {
  ITEMS_BESIDE,
  preloadSiteSpaces,
  resourceOfKind,
  siteExternalLink,
  siteSection,
  siteSectionGroup,
  siteSpace,
} from './resources.ts';
import { sortSiteStructure } from './sort-site-structure.ts';
import { updateSiteExternalLink } from './update-site-external-link.ts';
import { updateSiteSection } from './update-site-section.ts';
import { updateSiteSectionGroup } from './update-site-section-group.ts';
import { updateSiteSpace } from './update-site-space.ts';

export const SiteSpaceType = typeOf(siteSpace);
const SiteSectionType = typeOf(siteSection);
const SiteSectionGroupType = typeOf(siteSectionGroup);
const SiteExternalLinkType = typeOf(siteExternalLink);

registerNode(SiteSpaceType, 'sitespace', loadSiteSpace);
registerNode(SiteSectionType, 'section', loadSiteSection);
registerNode(SiteSectionGroupType, 'sectiongroup', loadSiteSectionGroup);
registerNode(SiteExternalLinkType, 'externallink', loadSiteExternalLink);
for (const read of [getSiteSpace, getSiteSection, getSiteSectionGroup, getSiteExternalLink]) readInGraph(read);

const SiteStructureItem = builder.unionType('SiteStructureItem', {
  description: 'An item of the navigation of a site.',
  types: [SiteSectionType, SiteSectionGroupType, SiteExternalLinkType],
  resolveType: (row) => resourceOfKind()[(row as SiteItemRow).kind].name, // rows of items
});

builder.objectFields(SiteSectionGroupType, (t) => ({
  children: t.field({
    type: [SiteStructureItem],
    description: 'Sections, groups and external links in the group, in order.',
    resolve: async ({ id, siteId }, _args, ctx) => [...(await structureFor(ctx, siteId)).itemsIn(id)],
  }),
}));

const SiteSectionsStructure = builder.objectRef<{ items: SiteItemRow[] }>('SiteSectionsStructure').implement({
  description: 'The structure of a site with sections, groups or external links.',
  fields: (t) => ({
    structure: t.field({
      type: [SiteStructureItem],
      description: 'Sections, groups and external links at the root, in order.',
      resolve: ({ items }) => items,
    }),
  }),
});

interface SpacesStructure {
  siteSpaces: SiteSpaceRow[];
  itemsBeside: SiteItemRow[];
}

const SiteSpacesStructure = builder.objectRef<SpacesStructure>('SiteSpacesStructure').implement({
  description: 'The structure of a site whose spaces are at its root.',
  fields: (t) => ({
    structure: t.field({
      type: [SiteSpaceType],
      description: 'Spaces of the site, in order.',
      resolve: ({ siteSpaces }) => siteSpaces,
    }),
    items: t.field({
      type: [SiteStructureItem],
      description: ITEMS_BESIDE,
      resolve: ({ itemsBeside }) => itemsBeside,
    }),
  }),
});

export const SiteStructureType = builder.unionType('SiteStructure', {
  description:
    'The navigation of a site: its sections, groups and external links or, if its spaces are at the root, these.',
  types: [SiteSectionsStructure, SiteSpacesStructure],
  resolveType: (structure) => ('siteSpaces' in structure ? 'SiteSpacesStructure' : 'SiteSectionsStructure'),
});

/**
 * The structure of a site, for fields of the type `SiteStructure`. What is selected of its spaces is loaded first: the
 * lists of large sites are completed in several ticks of the event loop, which would each load their part.
 */
export async function shownStructure(ctx: Context, siteId: string, info: GraphQLResolveInfo) {
  const wants = wantsOf(info);
  if (wants('siteSpaces') || wants('space')) await loadSpacesOf(ctx, siteId);
  const structure = await structureFor(ctx, siteId);
  const { isOfSpaces } = structure;
  if (isOfSpaces || wants('siteSpaces')) await preloadSiteSpaces(ctx, structure.siteSpaces, wants);
  const items = [...structure.itemsIn(null)];
  return isOfSpaces ? { siteSpaces: [...structure.siteSpacesIn(null)], itemsBeside: items } : { items };
}

readInGraph(getSiteStructure);

builder.objectFields(SiteType, (t) => ({
  structure: t.field({
    type: SiteStructureType,
    description: getSiteStructure.description,
    resolve: ({ id }, _args, ctx, info) => shownStructure(ctx, id, info),
  }),
  siteSpaces: connection(t, {
    type: SiteSpaceType,
    operation: listSiteSpaces,
    from: ({ id }) => ({ siteId: id }),
    without: ['siteId', 'organizationId', 'shareKey'],
    list: ({ id }, filter, ctx) => siteSpacesOfSite(ctx, id, filter),
  }),
  sections: connection(t, {
    type: SiteSectionType,
    operation: listSiteSections,
    from: ({ id }) => ({ siteId: id }),
    without: ['siteId', 'organizationId', 'shareKey'],
    list: ({ id }, _input, ctx) => sectionsOfSite(ctx, id),
  }),
  sectionGroups: connection(t, {
    type: SiteSectionGroupType,
    operation: listSiteSectionGroups,
    from: ({ id }) => ({ siteId: id }),
    without: ['siteId', 'organizationId', 'shareKey'],
    list: ({ id }, _input, ctx) => groupsOfSite(ctx, id),
  }),
}));

const site = {
  type: SiteType,
  nullable: true,
  description: 'The site. Null if you cannot see it.',
  resolve: ({ siteId }: { siteId: string | null }, ctx: Context) => (siteId === null ? null : loadSite(ctx, siteId)),
};

const siteSpaceFields: Record<string, PayloadField<{ siteId: string | null; siteSpaceId: string }>> = {
  siteSpace: {
    type: SiteSpaceType,
    nullable: true,
    description: 'The space on the site. Null if you cannot see the space.',
    resolve: ({ siteSpaceId }: { siteSpaceId: string }, ctx: Context) => loadSiteSpace(ctx, siteSpaceId),
  },
  site,
};

mutation(addSiteSpace, siteSpaceFields);
mutation(updateSiteSpace, siteSpaceFields);
mutation(moveSiteSpace, siteSpaceFields);
mutation(duplicateSiteSpace, siteSpaceFields);

const siteSectionFields: Record<string, PayloadField<{ siteId: string | null; siteSectionId: string }>> = {
  siteSection: {
    type: SiteSectionType,
    nullable: true,
    description: 'The section of the site. Null if you cannot see it.',
    resolve: ({ siteSectionId }: { siteSectionId: string }, ctx: Context) => loadSiteSection(ctx, siteSectionId),
  },
  site,
};

const deprecated = { deprecationReason: 'Use `sortSiteStructure`.' };

mutation(addSiteSection, siteSectionFields);
mutation(updateSiteSection, siteSectionFields);
mutation(moveSiteSection, siteSectionFields, deprecated);

const groupField = {
  type: SiteSectionGroupType,
  nullable: true,
  description: 'The group of sections. Null if you cannot see it.',
};

const siteSectionGroupFields: Record<string, PayloadField<{ siteId: string | null; siteSectionGroupId: string }>> = {
  siteSectionGroup: {
    ...groupField,
    resolve: ({ siteSectionGroupId }: { siteSectionGroupId: string }, ctx: Context) =>
      loadSiteSectionGroup(ctx, siteSectionGroupId),
  },
  site,
};

mutation(addSiteSectionGroup, siteSectionGroupFields);
mutation(updateSiteSectionGroup, siteSectionGroupFields);
mutation(moveSiteSectionGroup, siteSectionGroupFields, deprecated);
mutation(addSectionToGroup, siteSectionGroupFields);

const siteExternalLinkFields: Record<string, PayloadField<{ siteId: string | null; siteExternalLinkId: string }>> = {
  siteExternalLink: {
    type: SiteExternalLinkType,
    nullable: true,
    description: 'The external link. Null if you cannot see it.',
    resolve: ({ siteExternalLinkId }: { siteExternalLinkId: string }, ctx: Context) =>
      loadSiteExternalLink(ctx, siteExternalLinkId),
  },
  site,
};

mutation(addSiteExternalLink, siteExternalLinkFields);
mutation(updateSiteExternalLink, siteExternalLinkFields);

mutation(sortSiteStructure, { site });

const deletionOf = (
  what: string,
): Record<string, PayloadField<{ siteId: string | null; deletedId: string | null }>> => ({
  deletedId: {
    type: 'ID',
    nullable: true,
    description: `ID of the ${what}. Null if it did not exist or you cannot see it.`,
    resolve: ({ deletedId }: { deletedId: string | null }) => deletedId,
  },
  site,
});

mutation(deleteSiteSpace, deletionOf('removed site space'));
mutation(deleteSiteSection, deletionOf('deleted section'));
mutation(deleteSiteSectionGroup, deletionOf('deleted group'));
mutation(deleteSiteExternalLink, deletionOf('deleted link'));

mutation(removeSectionFromGroup, {
  ...deletionOf('section that was moved out of the group'),
  siteSectionGroup: {
    ...groupField,
    resolve: ({ siteId, siteSectionGroupId }, ctx) =>
      siteId === null ? null : loadSiteSectionGroup(ctx, siteSectionGroupId),
  },
});
