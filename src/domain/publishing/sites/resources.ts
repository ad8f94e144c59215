import { z } from 'zod';
import { atLeast } from '../../../platform/access/roles.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { types } from '../../../platform/resource/field-types.ts';
import { resource } from '../../../platform/resource/resource.ts';
import { appUrl, locationUrl } from '../../../platform/resource/urls.ts';
import {
  type Access,
  accessLoader,
  contentLevel,
  isVisible,
  levelInGraph,
  levelInRest,
  NO_ACCESS,
} from '../../people/access/index.ts';
import { loadOrganization, organization } from '../../people/organizations/index.ts';
import { structureFor } from '../navigation/index.ts';
import { agentsContext, siteFeatureKey, siteType, siteVisibility } from './enums.ts';
import { featuresOf } from './features.ts';
import type { SiteIcon } from './settings.ts';
import { previewUrl, publishedUrl, siteAddress } from './urls.ts';

/** The path of a site in REST. */
const siteLocation = ({ id, organizationId }: Pick<Row<'site'>, 'id' | 'organizationId'>) =>
  `/v1/orgs/${organizationId}/sites/${id}`;

export const siteIconShown = resource<SiteIcon>(
  { name: 'SiteIcon', description: 'Icon of a site: an emoji, or a light and a dark image.' },
  (f) => ({
    emoji: f.string.optional('Emoji, as a character or as a hexadecimal code point.', (icon) => icon.emoji),
    light: f.url.optional('URL of an image for light pages.', ({ light }) => light),
    dark: f.url.optional('URL of an image for dark pages.', ({ dark }) => dark),
  }),
);

const siteProxy = resource<{ origin: string; siteId: string }>(
  { name: 'SiteProxy', description: 'A proxy that serves a site at another address.' },
  (f) => ({
    origin: f.string('Hostname and path of the proxy, such as example.com/docs.', ({ origin }) => origin),
    target: f.string('URL that the proxy must forward requests to.', async ({ siteId }, ctx) => {
      const address = await siteAddress(ctx, siteId);
      return `${address?.shared ?? ''}/`;
    }),
  }),
);

const siteAdaptiveContent = resource<Row<'site'>>(
  { name: 'SiteAdaptiveContent', description: 'Whether the content of a site depends on its visitors.' },
  (f) => ({
    enabled: f.boolean('Whether conditions on content can use claims of visitors.', ({ isAdaptive }) => isAdaptive),
  }),
);

const siteFeature = resource<{ key: z.infer<typeof siteFeatureKey> }>(
  { name: 'SiteFeature', description: 'A feature that a site uses.' },
  (f) => ({
    key: f.enum(siteFeatureKey)('Key of the feature.', ({ key }) => key, { rest: 'id' }),
    plan: f.enum(siteType)('Plan that includes the feature. All plans include all features.', () => 'basic'),
    frozen: f.boolean('Whether the feature can no longer be changed. Always false.', () => false),
  }),
);

const siteUrls = resource<Row<'site'>>({ name: 'SiteUrls', description: 'API and web URLs of a site.' }, (f) => ({
  location: f.url('URL of the site in the REST API.', (row, ctx) => locationUrl(ctx, siteLocation(row))),
  app: f.url('URL of the site in the web application.', ({ id, organizationId }, ctx) =>
    appUrl(ctx, `/orgs/${organizationId}/sites/${id}`),
  ),
  published: f.url.optional('URL of the published site. Null while the site is not published.', ({ id }, ctx) =>
    publishedUrl(ctx, id),
  ),
  preview: f.url(
    'URL at which members preview the site, with a token of their own: see `preview`, or `GET …/publishing/preview`.',
    ({ id }, ctx) => previewUrl(ctx, id),
  ),
}));

const sitePermissions = resource<Access>(
  { name: 'SitePermissions', description: 'Your permissions on a site.' },
  (f) => ({
    view: f.boolean('You can see the site, through a role or because it is published.', isVisible),
    access: f.boolean('You can see the site through a role.', ({ role }) => atLeast(role, 'read')),
    edit: f.boolean('You can edit the site.', ({ role }) => atLeast(role, 'edit')),
    create: f.boolean('You can change the structure of the site.', ({ role }) => atLeast(role, 'create')),
    admin: f.boolean('You can change the settings of the site, publish it and delete it.', ({ role }) =>
      atLeast(role, 'admin'),
    ),
    installIntegration: f.boolean('You can install integrations.', ({ role }) => atLeast(role, 'admin')),
    viewAdaptiveSchema: f.boolean('You can see the schema of claims.', ({ role }) => atLeast(role, 'read')),
    editAdaptiveSchema: f.boolean('You can change the schema of claims.', ({ role }) => atLeast(role, 'admin')),
  }),
);

/** The icon in REST: `{ emoji }`, `{ icon: { light, dark } }` or `{}`. */
function iconInRest(icon: SiteIcon | null) {
  if (!icon) return icon;
  if (icon.emoji != null) return { emoji: icon.emoji };
  return icon.light == null ? {} : { icon: { light: icon.light, dark: icon.dark } };
}

const imageShape = (theme: string) => z.string().describe(`URL of an image for ${theme} pages.`);

const siteIconShape = z
  .union([
    z.object({
      icon: z
        .object({ light: imageShape('light'), dark: imageShape('dark') })
        .describe('Images for light and dark pages.'),
    }),
    z.object({ emoji: z.string().describe('Emoji, as a character or as a hexadecimal code point.') }),
    z.object({}),
  ])
  .nullable();

export const site = resource<Row<'site'>>(
  {
    name: 'Site',
    object: 'site',
    node: 'site',
    isVersioned: true,
    description: 'A set of spaces that can be published together.',
  },
  (f) => ({
    type: f.enum(siteType)('Plan of the site. Plans do not limit any feature.', ({ type }) => type),
    appliedType: f.enum(siteType)('Plan that applies to the site.', ({ type }) => type),
    title: f.string('Title of the site, 2 to 128 characters.', ({ title }) => title),
    icon: f.apart({
      graph: f.object(() => siteIconShown).optional('Icon of the site. Null if there is none.', ({ icon }) => icon),
      rest: f
        .json(siteIconShape)
        .optional('Icon of the site: an emoji, images, or an empty object.', ({ icon }) => iconInRest(icon)),
    }),
    hostname: f.string.optional('Custom hostname of the site. Null if it has none.', ({ hostname }) => hostname),
    basename: f.string.optional('Last segment of the URL of the site.', ({ basename }) => basename),
    proxy: f
      .object(() => siteProxy)
      .optional('Proxy that serves the site. Null if there is none.', ({ id, proxyOrigin }) =>
        proxyOrigin === null ? null : { origin: proxyOrigin, siteId: id },
      ),
    visibility: f.enum(siteVisibility)('Who can read the site while it is published.', ({ visibility }) => visibility),
    published: f.boolean('Whether the site is published.', ({ isPublished }) => isPublished),
    defaultLevel: f.apart({
      graph: f.enum(contentLevel)(
        'Default access of organization members to the site. Granted roles replace it.',
        ({ defaultLevel }) => levelInGraph(defaultLevel),
      ),
      rest: f
        .enum(contentLevel)
        .nullable(
          'Default access of organization members to the site. Granted roles replace it. Null if they have no access.',
          ({ defaultLevel }) => levelInRest(defaultLevel),
        ),
    }),
    siteSpacesCount: f.count(
      'Number of spaces on the site that you can see.',
      async ({ id }, ctx) => (await structureFor(ctx, id)).siteSpaces.length,
      { rest: 'siteSpaces' },
    ),
    adaptiveContent: f.object(() => siteAdaptiveContent)(
      'Whether the content of the site depends on its visitors.',
      (row) => row,
    ),
    agentsContext: f.enum(agentsContext)('Whether agents can use the content of the site.', ({ isForAgents }) =>
      isForAgents ? 'included' : 'excluded',
    ),
    features: f.list(types.object(() => siteFeature))(
      'Features that the site uses, as far as you can see its spaces and sections.',
      (row, ctx) => featuresOf(ctx, row),
    ),
    createdAt: f.time('Time when the site was created.', ({ createdAt }) => createdAt),
    updatedAt: f.time('Time when the settings of the site last changed.', (row) => row.updatedAt, { rest: false }),
    organization: f.reference(
      () => organization,
      'Organization that owns the site. In GraphQL, null if you are not a member of it.',
      {
        prefix: 'org',
        isRequired: true,
        rest: false,
        id: ({ organizationId }) => organizationId,
        load: ({ organizationId }, ctx) => loadOrganization(ctx, organizationId),
      },
    ),
    urls: f.object(() => siteUrls)('URLs of the site.', (row) => row),
    permissions: f.object(() => sitePermissions)(
      'Your permissions on the site.',
      async ({ id }, ctx) => (await accessLoader.site(ctx, id)) ?? NO_ACCESS,
    ),
  }),
);
