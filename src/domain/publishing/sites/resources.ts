import { resource } from '../../../platform/resource/resource.ts';
import { siteVisibility } from './enums.ts';
import { loadSite, type SiteRow, type SiteSpaceRow } from './load.ts';

export const site = resource<SiteRow>(
  { name: 'Site', node: 'site', description: 'A set of spaces that can be published together.' },
  (f) => ({
    title: f.string('Title of the site.', ({ title }) => title),
    visibility: f.enum(siteVisibility)('Who can read the site while it is published.', ({ visibility }) => visibility),
    published: f.boolean('Whether the site is published.', ({ isPublished }) => isPublished),
    createdAt: f.time('Time when the site was created.', ({ createdAt }) => createdAt),
  }),
);

export const siteSpace = resource<SiteSpaceRow>(
  { name: 'SiteSpace', node: 'sitespace', description: 'A space on a site.' },
  (f) => ({
    path: f.string('Path of the space on the site.', ({ path }) => path),
    title: f.string.optional(
      'Title of the space on the site. Null if the site shows the title of the space itself.',
      ({ title }) => title,
    ),
    default: f.boolean('Whether the space is the first one that visitors see.', ({ isDefault }) => isDefault),
    condition: f.string.optional(
      'Expression that decides which visitors can see the space. Null if all visitors can see it.',
      ({ condition }) => condition,
    ),
    site: f.object(() => site).optional('Site that shows the space.', ({ siteId }, ctx) => loadSite(ctx, siteId)),
  }),
);
