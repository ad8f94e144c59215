import { resource } from '../../../platform/resource/resource.ts';
import { namedEnum } from '../../../platform/shapes/named-enum.ts';
import { changeRequest, loadChangeRequest } from '../../content/change-requests/index.ts';
import { pageShape, presentPage } from '../../content/pages/index.ts';
import { loadRevision, revision } from '../../content/revisions/index.ts';
import { loadOrganization, organization } from '../../people/organizations/index.ts';
import { collection } from '../../places/collections/index.ts';
import { loadSpace, space } from '../../places/spaces/index.ts';
import { loadSite, site } from '../sites/index.ts';
import { loadSiteSection, loadSiteSpace, siteSection, siteSpace } from '../structure/index.ts';
import type { ContentAtUrl } from './get-content-by-url.ts';
import type { PublishedContent, PublishedRedirect } from './get-published-content.ts';

const HIDDEN = 'Null if you cannot see it yourself; the token can.';

export const publishedContent = resource<PublishedContent>(
  { name: 'PublishedContent', description: 'Target of a URL of a published site.' },
  (f) => ({
    organization: f.reference(() => organization, `Organization of the site. ${HIDDEN}`, {
      prefix: 'org',
      isRequired: true,
      id: ({ organizationId }) => organizationId,
      load: ({ organizationId }, ctx) => loadOrganization(ctx, organizationId),
    }),
    site: f.reference(() => site, `The site. ${HIDDEN}`, {
      prefix: 'site',
      isRequired: true,
      id: ({ siteId }) => siteId,
      load: ({ siteId }, ctx) => loadSite(ctx, siteId),
    }),
    siteSection: f.reference(() => siteSection, `Section of the site. Null if it has none. ${HIDDEN}`, {
      prefix: 'section',
      id: ({ siteSectionId }) => siteSectionId,
      load: ({ siteSectionId }, ctx) => (siteSectionId === null ? null : loadSiteSection(ctx, siteSectionId)),
    }),
    siteSpace: f.reference(() => siteSpace, `Space on the site. ${HIDDEN}`, {
      prefix: 'sitespace',
      isRequired: true,
      id: ({ siteSpaceId }) => siteSpaceId,
      load: ({ siteSpaceId }, ctx) => loadSiteSpace(ctx, siteSpaceId),
    }),
    space: f.reference(() => space, `The space that is shown. ${HIDDEN}`, {
      prefix: 'space',
      isRequired: true,
      id: ({ spaceId }) => spaceId,
      load: ({ spaceId }, ctx) => loadSpace(ctx, spaceId),
    }),
    pathname: f.string('Path of the page in the space, with a slash at the beginning.', ({ pathname }) => pathname),
    basePath: f.string(
      'Path of the URL up to the space on the site, with slashes at both ends.',
      ({ basePath }) => basePath,
    ),
    siteBasePath: f.string(
      'Path of the URL up to the site, with the key of a share link, with slashes at both ends.',
      ({ siteBasePath }) => siteBasePath,
    ),
    canonicalUrl: f.url('Canonical URL of the page, without the key of a share link.', (row) => row.canonicalUrl),
    complete: f.boolean(
      'Whether further path segments can only belong to a page of the same space.',
      ({ isComplete }) => isComplete,
    ),
    shareKey: f.string.optional('Key of the share link in the URL. Null if there is none.', (row) => row.shareKey),
    changeRequest: f.reference(
      () => changeRequest,
      'Change request whose content is previewed. Null in other URLs, and if you cannot see it yourself.',
      {
        prefix: 'cr',
        id: ({ changeRequestId }) => changeRequestId,
        load: ({ changeRequestId }, ctx) => (changeRequestId === null ? null : loadChangeRequest(ctx, changeRequestId)),
      },
    ),
    revision: f.reference(
      () => revision,
      'Revision that is previewed. Null in other URLs, and if you cannot see it yourself.',
      {
        prefix: 'rev',
        id: ({ revisionId }) => revisionId,
        load: ({ revisionId }, ctx) => (revisionId === null ? null : loadRevision(ctx, revisionId)),
      },
    ),
    preview: f.boolean('Whether the URL belongs to a preview.', ({ isPreview }) => isPreview),
    apiToken: f.string(
      'Bearer token of this API that reads the site for the visitor: a JWT, valid for up to 24 hours. It changes whenever the content may have changed.',
      ({ apiToken }) => apiToken,
    ),
  }),
);

const redirectTarget = namedEnum('PublishedContentRedirectTarget', 'Kind of target that a visitor is redirected to.', {
  application: 'A page of this service.',
  content: 'Another URL of a published site.',
  external: 'Another website, where visitors sign in.',
});

export const publishedRedirect = resource<PublishedRedirect>(
  {
    name: 'PublishedContentRedirect',
    description: 'A redirect that a visitor must follow before the URL shows content.',
  },
  (f) => ({
    target: f.enum(redirectTarget)('Kind of target of the redirect.', ({ target }) => target),
    redirect: f.url('URL to redirect to.', ({ redirect }) => redirect),
    site: f.reference(() => site, 'Site whose visitors sign in there. Null for other targets.', {
      prefix: 'site',
      id: ({ siteId }) => siteId,
      load: ({ siteId }, ctx) => (siteId === null ? null : loadSite(ctx, siteId)),
    }),
  }),
);

export const contentAtUrl = resource<ContentAtUrl>(
  {
    name: 'ContentAtUrl',
    description: 'Target of a URL: a collection, or a space with a page or a change request.',
  },
  (f) => ({
    collection: f
      .object(() => collection)
      .optional('The collection. Null for URLs of spaces.', (row) => row.collection),
    space: f.object(() => space).optional('The space. Null for URLs of collections.', (row) => row.space),
    changeRequest: f
      .object(() => changeRequest)
      .optional('The change request. Null if the URL does not name one.', (row) => row.changeRequest),
    page: f
      .json(pageShape)
      .optional(
        'The page. Missing if the URL does not name one.',
        ({ page }, ctx) => (page ? presentPage(page, ctx) : null),
        { graph: false },
      ),
  }),
);
