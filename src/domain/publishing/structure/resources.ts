import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { andThen, type MaybePromise } from '../../../platform/reads/loader.ts';
import type { Resource, Wants } from '../../../platform/resource/field.ts';
import { types } from '../../../platform/resource/field-types.ts';
import { resource } from '../../../platform/resource/resource.ts';
import { preloadAll, present, presentAll, shapeOf } from '../../../platform/resource/rest.ts';
import { loadSpace, preloadSpaces, space } from '../../places/spaces/index.ts';
import type { SiteItemRow, SiteNavigation, SiteSpaceRow } from '../navigation/index.ts';
import {
  loadSiteSection,
  loadSiteSectionGroup,
  loadSpacesOf,
  structureFor,
  visibleStructure,
} from '../navigation/index.ts';
import { loadSite, publishedUrl, site, siteAddress } from '../sites/index.ts';

const CONDITION = 'Expression that decides which visitors can see the item. Null if all visitors can see it.';

/** The segments of the path of a site space: those of its section and its own. Defaults have none. */
export function urlPathOf(ctx: Context, siteSpace: SiteSpaceRow): MaybePromise<string[]> {
  const { sectionId, path, isDefault } = siteSpace;
  if (sectionId === null) return isDefault ? [] : [path];
  return andThen(structureFor(ctx, siteSpace.siteId), (structure) => urlPathIn(structure, siteSpace));
}

/** The same as `urlPathOf`, in a structure that was loaded before. */
export function urlPathIn(structure: SiteNavigation, { sectionId, path, isDefault }: SiteSpaceRow): string[] {
  const section = sectionId === null ? undefined : structure.item(sectionId);
  return [...(section ? urlPathOfSection(section) : []), ...(isDefault ? [] : [path])];
}

/** The segments of the path of a section. The default has none. */
export const urlPathOfSection = ({ isDefault, path }: SiteItemRow) => (isDefault || path === null ? [] : [path]);

/** Site spaces are listed only if their space is visible. */
const spaceOf = (ctx: Context, { spaceId }: SiteSpaceRow): MaybePromise<Row<'space'> | null> =>
  andThen(loadSpace.peek(ctx, spaceId), (space) => space ?? null);

/** Reads what the fields of site spaces need: one statement for each kind, whatever their number. */
export async function preloadSiteSpaces(ctx: Context, rows: readonly SiteSpaceRow[], wants?: Wants): Promise<void> {
  const siteIds = [...new Set(rows.map(({ siteId }) => siteId))];
  await visibleStructure.loadMany(ctx, siteIds);
  const spaces = await loadSpace.loadMany(
    ctx,
    rows.map(({ spaceId }) => spaceId),
  );
  const seen = spaces.filter((space) => space !== undefined);
  await Promise.all([siteAddress.loadMany(ctx, siteIds), preloadSpaces(ctx, seen, wants)]);
}

const siteSpaceUrls = resource<SiteSpaceRow>(
  { name: 'SiteSpaceUrls', description: 'Web URLs of a space on a site.' },
  (f) => ({
    published: f.url.optional('URL of the space on the site. Null while the site is not published.', (row, ctx) =>
      andThen(urlPathOf(ctx, row), (path) => publishedUrl(ctx, row.siteId, path)),
    ),
  }),
);

export const siteSpace: Resource<SiteSpaceRow> = resource<SiteSpaceRow>(
  {
    name: 'SiteSpace',
    preload: preloadSiteSpaces,
    object: 'site-space',
    node: 'sitespace',
    isVersioned: true,
    description: 'A space on a site: at its root or, if the site has sections, in a section.',
  },
  (f) => ({
    path: f.string('Path of the space on the site, unique on its level.', ({ path }) => path),
    section: f.reference(() => siteSection, 'Section that contains the space. Null at the root.', {
      prefix: 'section',
      id: ({ sectionId }) => sectionId,
      load: ({ sectionId }, ctx) => (sectionId === null ? null : loadSiteSection(ctx, sectionId)),
    }),
    space: f
      .object(() => space)
      .optional('Space that the site shows.', (row, ctx) => spaceOf(ctx, row), {
        isRequired: true,
      }),
    title: f.string('Title of the space.', (row, ctx) => andThen(spaceOf(ctx, row), (space) => space?.title ?? '')),
    default: f.boolean('Whether visitors see the space first on its level.', ({ isDefault }) => isDefault),
    condition: f.string.optional(CONDITION, ({ condition }) => condition),
    draft: f.boolean('Whether the space is not published yet. Always false.', () => false),
    hasAdvancedCustomizationFeature: f.boolean(
      'Whether the space can have a customization of its own. Always true.',
      () => true,
    ),
    createdAt: f.time('Time when the space was added.', ({ createdAt }) => createdAt, { rest: false }),
    site: f
      .object(() => site)
      .optional('Site that shows the space.', ({ siteId }, ctx) => loadSite(ctx, siteId), {
        rest: false,
      }),
    urls: f.object(() => siteSpaceUrls)('URLs of the space on the site.', (row) => row),
  }),
);

const siteSectionUrls = resource<SiteItemRow>(
  { name: 'SiteSectionUrls', description: 'Web URLs of a section of a site.' },
  (f) => ({
    published: f.url.optional('URL of the section. Null while the site is not published.', (row, ctx) =>
      publishedUrl(ctx, row.siteId, urlPathOfSection(row)),
    ),
  }),
);

const siteSpacesOf = (ctx: Context, { id, siteId }: SiteItemRow) =>
  andThen(structureFor(ctx, siteId), (structure) => structure.siteSpacesIn(id));

export const siteSection: Resource<SiteItemRow> = resource<SiteItemRow>(
  {
    name: 'SiteSection',
    object: 'site-section',
    node: 'section',
    isVersioned: true,
    description: 'A section of a site, with one or more spaces.',
  },
  (f) => ({
    title: f.string('Title of the section, 2 to 128 characters.', ({ title }) => title),
    description: f.string.optional('Description of the section. Null if it has none.', (row) => row.description),
    default: f.boolean('Whether visitors see the section first.', ({ isDefault }) => isDefault),
    draft: f.boolean('Whether the section is not published yet. Always false.', () => false),
    path: f.string('Path of the section, unique on the site.', ({ path }) => path ?? ''),
    condition: f.string.optional(CONDITION, ({ condition }) => condition),
    sectionGroup: f.reference(() => siteSectionGroup, 'Group that contains the section. Null at the root.', {
      prefix: 'sectiongroup',
      id: ({ groupId }) => groupId,
      load: ({ groupId }, ctx) => (groupId === null ? null : loadSiteSectionGroup(ctx, groupId)),
    }),
    siteSpaces: f.list(types.object(() => siteSpace))('Spaces of the section, in order.', (row, ctx) =>
      siteSpacesOf(ctx, row),
    ),
    icon: f.string.optional('Name of the icon. Null if there is none.', ({ icon }) => icon),
    site: f
      .object(() => site)
      .optional('Site that has the section.', ({ siteId }, ctx) => loadSite(ctx, siteId), {
        rest: false,
      }),
    urls: f.object(() => siteSectionUrls)('URLs of the section.', (row) => row),
  }),
);

export const siteExternalLink: Resource<SiteItemRow> = resource<SiteItemRow>(
  {
    name: 'SiteExternalLink',
    object: 'site-external-link',
    node: 'externallink',
    isVersioned: true,
    description: 'A link to another website in the navigation of a site.',
  },
  (f) => ({
    title: f.string('Title of the link, 2 to 128 characters.', ({ title }) => title),
    description: f.string.optional('Description of the link. Null if it has none.', (row) => row.description),
    icon: f.string.optional('Name of the icon. Null if there is none.', ({ icon }) => icon),
    url: f.url('URL that the link leads to.', ({ url }) => url ?? ''),
    sectionGroup: f.reference(() => siteSectionGroup, 'Group that contains the link. Null at the root.', {
      prefix: 'sectiongroup',
      id: ({ groupId }) => groupId,
      load: ({ groupId }, ctx) => (groupId === null ? null : loadSiteSectionGroup(ctx, groupId)),
    }),
    draft: f.boolean('Whether the link is not published yet. Always false.', () => false),
    condition: f.string.optional(CONDITION, ({ condition }) => condition),
    site: f
      .object(() => site)
      .optional('Site that has the link.', ({ siteId }, ctx) => loadSite(ctx, siteId), {
        rest: false,
      }),
  }),
);

const itemsOf = (ctx: Context, { id, siteId }: SiteItemRow) =>
  andThen(structureFor(ctx, siteId), (structure) => structure.itemsIn(id));

export const siteSectionGroup: Resource<SiteItemRow> = resource<SiteItemRow>(
  {
    name: 'SiteSectionGroup',
    object: 'site-section-group',
    node: 'sectiongroup',
    isVersioned: true,
    description: 'A group of sections, other groups and external links of a site.',
  },
  (f) => ({
    title: f.string('Title of the group, 1 to 100 characters.', ({ title }) => title),
    sections: f.list(types.object(() => siteSection))('Sections directly in the group, in order.', (row, ctx) =>
      andThen(itemsOf(ctx, row), (items) => items.filter(({ kind }) => kind === 'section')),
    ),
    sectionGroup: f.reference(() => siteSectionGroup, 'Group that contains the group. Null at the root.', {
      prefix: 'sectiongroup',
      id: ({ groupId }) => groupId,
      load: ({ groupId }, ctx) => (groupId === null ? null : loadSiteSectionGroup(ctx, groupId)),
    }),
    draft: f.boolean('Whether the group is not published yet. Always false.', () => false),
    children: f.json(itemsShape())(
      'Sections, groups and external links in the group, in order.',
      (row, ctx) => andThen(itemsOf(ctx, row), (items) => presentItems(ctx, items)),
      { graph: false },
    ),
    icon: f.string.optional('Name of the icon. Null if there is none.', ({ icon }) => icon),
    site: f
      .object(() => site)
      .optional('Site that has the group.', ({ siteId }, ctx) => loadSite(ctx, siteId), {
        rest: false,
      }),
  }),
);

/** The resource of each kind of item. */
export const resourceOfKind = () =>
  ({ section: siteSection, group: siteSectionGroup, link: siteExternalLink }) satisfies Record<
    SiteItemRow['kind'],
    Resource<SiteItemRow>
  >;

function presentItems(ctx: Context, items: readonly SiteItemRow[]): Promise<unknown[]> {
  return Promise.all(items.map((item) => present(resourceOfKind()[item.kind], item, ctx)));
}

/** Lazy, since groups contain groups. */
function itemsShape(): z.ZodType {
  return z.array(z.lazy(() => z.union([shapeOf(siteSection), shapeOf(siteSectionGroup), shapeOf(siteExternalLink)])));
}

/** Description of the items of a site whose navigation is its spaces. */
export const ITEMS_BESIDE =
  'Groups and external links beside the spaces, in order. Only sites have any whose links were added before adding one moved the spaces into a section.';

/** The structure of a site in REST: `{ type, structure }`. */
export async function presentStructure(ctx: Context, siteId: string): Promise<unknown> {
  await loadSpacesOf(ctx, siteId);
  const structure = await structureFor(ctx, siteId);
  await preloadAll(siteSpace, structure.siteSpaces, ctx);
  const items = await presentItems(ctx, structure.itemsIn(null));
  if (!structure.isOfSpaces) return { type: 'sections', structure: items };
  const siteSpaces = await presentAll(siteSpace, structure.siteSpacesIn(null), ctx);
  return { type: 'siteSpaces', structure: siteSpaces, ...(items.length > 0 && { items }) };
}

let knownShape: z.ZodType | undefined;

/** Made once, since schemas with names must not be made twice. */
export function structureShape(): z.ZodType {
  knownShape ??= makeStructureShape();
  return knownShape;
}

const makeStructureShape = () =>
  z.union([
    z
      .object({
        type: z.literal('sections').describe('The site has sections, groups or external links.'),
        structure: itemsShape().describe('Sections, groups and external links, in order.'),
      })
      .meta({
        id: 'SiteSectionsStructure',
        description: 'The structure of a site with sections, groups or external links.',
      }),
    z
      .object({
        type: z.literal('siteSpaces').describe('The spaces of the site are at its root.'),
        structure: z.array(shapeOf(siteSpace)).describe('Spaces of the site, in order.'),
        items: itemsShape().optional().describe(ITEMS_BESIDE),
      })
      .meta({ id: 'SiteSpacesStructure', description: 'The structure of a site whose spaces are at its root.' }),
  ]);
