import { z } from 'zod';
import { requireScope } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { andThen } from '../../../platform/reads/loader.ts';
import { types } from '../../../platform/resource/field-types.ts';
import { resource } from '../../../platform/resource/resource.ts';
import { loadSite, site, siteAddress, urlAt } from '../sites/index.ts';
import { authBackend } from './enums.ts';
import type { AdaptiveSchemaRow, ShareLinkRow } from './load.ts';
import { shareKeyOf } from './share-key.ts';
import { readableSiteKey } from './site-key.ts';
import { type TemplateCondition, templateConditionsOf } from './template-conditions.ts';

/** Keys admit other people, so that reading them takes more than the scope `read`. */
function visibleShareKey(ctx: Context, row: ShareLinkRow): string | null {
  requireScope(ctx.actor, 'publish');
  return shareKeyOf(ctx, row);
}

function visibleKey(ctx: Context, row: Row<'site_auth'>): string | null {
  requireScope(ctx.actor, 'publish');
  return readableSiteKey(ctx, row);
}

const shareLinkUrls = resource<ShareLinkRow>(
  { name: 'ShareLinkUrls', description: 'Web URLs of a share link.' },
  (f) => ({
    published: f.url.optional(
      'URL of the site with the secret key of the link. Null while the site is not published, and if the key cannot be read.',
      (row, ctx) => {
        const shareKey = visibleShareKey(ctx, row);
        if (shareKey === null) return null;
        return andThen(siteAddress.peek(ctx, row.siteId), (address) => address && urlAt({ ...address, shareKey }, []));
      },
    ),
  }),
);

export const shareLink = resource<ShareLinkRow>(
  {
    name: 'ShareLink',
    object: 'share-link',
    node: 'sharelink',
    isVersioned: true,
    description: 'A link with a secret key that admits visitors to a site. Only admins of the site see it.',
  },
  (f) => ({
    name: f.string('Name of the link for the admins of the site, up to 50 characters.', ({ name }) => name),
    active: f.boolean('Whether the link admits visitors.', ({ isActive }) => isActive),
    createdAt: f.time('Time when the link was created.', ({ createdAt }) => createdAt),
    key: f.string.optional(
      'The secret key, to pass as `shareKey` when reading the site. Null if it cannot be read: see `hasUnreadableSecret`.',
      (row, ctx) => visibleShareKey(ctx, row),
      { rest: false },
    ),
    hasUnreadableSecret: f.boolean(
      "Whether the key cannot be shown because the service's secret key was lost. Visitors who have the link are still admitted. To replace the link, revoke it and create another.",
      (row, ctx) => shareKeyOf(ctx, row) === null,
    ),
    site: f
      .object(() => site)
      .optional('Site that the link admits visitors to.', ({ siteId }, ctx) => loadSite(ctx, siteId), { rest: false }),
    urls: f.object(() => shareLinkUrls)('URLs of the link.', (row) => row),
  }),
);

export const sitePublishingAuth = resource<Row<'site_auth'>>(
  {
    name: 'SitePublishingAuth',
    object: 'publishing-auth',
    description: "Authentication of a site's visitors. Only admins of the site see it.",
  },
  (f) => ({
    backend: f.enum(authBackend)('Service that authenticates visitors.', ({ backend }) => backend),
    privateKey: f.string.optional(
      'Key that signs the tokens of visitors: JSON Web Tokens with the algorithm HS256. The characters of this text are the key. Null if it cannot be read: see `hasUnreadableSecret`.',
      (row, ctx) => visibleKey(ctx, row),
      { rest: false },
    ),
    // Clients of the public API expect a text.
    privateKeyText: f.string(
      'Key that signs the tokens of visitors: JSON Web Tokens with the algorithm HS256. The characters of this text are the key. Empty if it cannot be read: see `hasUnreadableSecret`.',
      (row, ctx) => visibleKey(ctx, row) ?? '',
      { rest: 'privateKey', graph: false },
    ),
    hasUnreadableSecret: f.boolean(
      "Whether the key cannot be read because the service's secret key was lost. Visitors' tokens are then refused until `regenerateSitePublishingKey` replaces the key.",
      (row, ctx) => readableSiteKey(ctx, row) === null,
    ),
    fallbackUrl: f.url.optional(
      'URL of the page where visitors sign in. Null if there is none.',
      (row) => row.fallbackUrl,
      { rest: 'fallbackURL' },
    ),
    logoutUrl: f.url.optional(
      'URL of the page where visitors sign out. Null if there is none.',
      (row) => row.logoutUrl,
      {
        rest: 'logoutURL',
      },
    ),
    updatedAt: f.time('Time when the key or a setting last changed.', (row) => row.updatedAt, { rest: false }),
  }),
);

export const templateCondition = resource<TemplateCondition>(
  { name: 'SiteTemplateCondition', description: 'A condition for content, derived from the schema of claims.' },
  (f) => ({
    description: f.string('Meaning of the claim.', ({ description }) => description),
    condition: f.string('Expression, such as `visitor.claims.isBeta == true`.', ({ condition }) => condition),
  }),
);

export const adaptiveSchema = resource<AdaptiveSchemaRow>(
  {
    name: 'SiteAdaptiveSchema',
    object: 'site-adaptive-schema',
    description: 'Claims that visitors of a site can have. Conditions of its content use them.',
  },
  (f) => ({
    jsonSchema: f.jsonObject(z.record(z.string(), z.unknown()))(
      'JSON Schema (draft 7) of the claims. Unsigned claims are the properties of `unsigned`.',
      ({ jsonSchema }) => jsonSchema as Record<string, unknown>, // JSON
    ),
    updatedAt: f.time('Time when the schema was last set.', ({ updatedAt }) => updatedAt),
    templateConditions: f.list(types.object(() => templateCondition))(
      'Conditions derived from the schema: one for each boolean claim and for each value of an enumeration.',
      ({ jsonSchema }) => templateConditionsOf(jsonSchema),
      { rest: false },
    ),
  }),
);
