import { z } from 'zod';
import { types } from '../../../platform/resource/field-types.ts';
import { resource } from '../../../platform/resource/resource.ts';
import { namedEnum } from '../../../platform/shapes/named-enum.ts';
import { loadSite, site } from '../sites/index.ts';
import type { RedirectRow } from './access.ts';
import type { StoredDestination } from './destination.ts';
import type { MatchedRedirect } from './match-redirect.ts';
import { type RedirectResult, upsertOutcome } from './write-redirects.ts';

const destinationKind = namedEnum('SiteRedirectDestinationKind', 'Kind of target that a redirect leads to.', {
  'site-section': 'The first page of a section.',
  'site-space': 'A space on the site.',
  'site-page': 'A page of a space on the site.',
  external: 'Another website.',
});

const destinationShown = resource<StoredDestination>(
  { name: 'SiteRedirectDestination', description: 'Page, section, site space or URL that a redirect leads to.' },
  (f) => ({
    kind: f.enum(destinationKind)('Kind of the destination.', ({ kind }) => kind),
    siteSectionId: f
      .id('section')
      .optional('ID of the section. Null for other kinds.', (to) =>
        to.kind === 'site-section' ? to.siteSectionId : null,
      ),
    siteSpaceId: f
      .id('sitespace')
      .optional('ID of the space on the site. Null for other kinds.', (to) =>
        to.kind === 'site-space' || to.kind === 'site-page' ? to.siteSpaceId : null,
      ),
    pageId: f
      .id('page')
      .optional('ID of the page. Null for other kinds.', (to) => (to.kind === 'site-page' ? to.pageId : null)),
    url: f.url.optional('URL on another website. Null for other kinds.', (to) =>
      to.kind === 'external' ? to.url : null,
    ),
  }),
);

export const siteRedirect = resource<RedirectRow>(
  {
    name: 'SiteRedirect',
    object: 'site-redirect',
    node: 'redirect',
    isVersioned: true,
    description: 'A redirect from a path of a site.',
  },
  (f) => ({
    source: f.string('Path that is redirected. A trailing `*` matches any remaining path.', ({ source }) => source),
    draft: f.boolean('Whether the redirect is a draft. Drafts are not applied.', ({ isDraft }) => isDraft),
    captureWildcard: f.boolean(
      'Whether the part of the path that `*` matches is appended to the destination.',
      (row) => row.captureWildcard,
    ),
    permanent: f.boolean('Whether clients can cache the redirect permanently.', ({ isPermanent }) => isPermanent),
    destination: f.object(() => destinationShown)('Destination of the redirect.', ({ destination }) => destination),
    createdAt: f.time('Time when the redirect was created.', ({ createdAt }) => createdAt),
    updatedAt: f.time('Time when the redirect was last changed.', ({ updatedAt }) => updatedAt),
    site: f
      .object(() => site)
      .optional('Site that is redirected.', ({ siteId }, ctx) => loadSite(ctx, siteId), {
        rest: false,
      }),
  }),
);

export const matchedRedirect = resource<MatchedRedirect>(
  { name: 'MatchedSiteRedirect', description: 'The redirect for a path of a site.' },
  (f) => ({
    redirect: f.apart({
      graph: f
        .object(() => siteRedirect)
        .optional('The redirect. Null if it is automatic.', (row) => (row.isAutomatic ? null : row.redirect)),
      rest: f.object(() => siteRedirect)(
        'The redirect. Automatic ones have an ID that no other operation accepts.',
        ({ redirect }) => redirect,
      ),
    }),
    automatic: f.boolean(
      'Whether the path is a former path of a page, or was imported with `.gitbook.yaml`.',
      (row) => row.isAutomatic,
      { rest: false },
    ),
    target: f.string('URL to redirect to.', ({ target }) => target),
  }),
);

const upsertResult = resource<RedirectResult>(
  { name: 'SiteRedirectResult', description: 'Result of an action on one of several redirects.' },
  (f) => ({
    status: f.enum(upsertOutcome)('Result of the action on the redirect.', ({ status }) => status),
    source: f.string('Path that is redirected.', ({ source }) => source),
    draft: f.boolean('Whether the result concerns a draft.', ({ draft }) => draft),
    redirectId: f.id('redirect').optional('ID of the redirect. Null if there is none.', ({ id }) => id, { rest: 'id' }),
    error: f.string.optional('Error message. Null unless `status` is `ERROR`.', ({ error }) => error),
  }),
);

export const upsertResults = resource<{ results: RedirectResult[] }>(
  { name: 'SiteRedirectResults', description: 'Results for the redirects, in the order of the request.' },
  (f) => ({
    results: f.list(types.object(() => upsertResult))('One result for each redirect.', ({ results }) => results),
  }),
);

export const listOfResults = upsertResult;

const pageShape = { siteSpaceId: z.string().describe('ID of a space on the site.') };

/** A destination in the body of REST requests. */
export const destinationBody = z
  .union([
    z.object({
      kind: z.literal('site-section').describe('A section of the site.'),
      siteSectionId: z.string().describe('ID of the section.'),
    }),
    z.object({ kind: z.literal('site-space').describe('A space on the site.'), ...pageShape }),
    z.object({
      kind: z.literal('site-page').describe('A page of a space on the site.'),
      ...pageShape,
      pageId: z.string().describe('ID of the page.'),
    }),
    z.object({
      kind: z.literal('path').describe('A page of a space, by its path.'),
      spaceId: z.string().describe('ID of a space that the site shows.'),
      path: z.string().describe('Path of the page in the space.'),
    }),
    z.object({
      kind: z.literal('external').describe('Another website.'),
      url: z.string().describe('URL on the other website.'),
    }),
  ])
  .describe('Destination of the redirect.');
