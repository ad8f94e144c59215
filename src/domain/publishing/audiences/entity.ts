import { defineEntity, p } from '@mikro-orm/core';
import {
  changes,
  createdTime,
  flag,
  hash,
  json,
  raisesVersion,
  reference,
  text,
} from '../../../platform/database/columns.ts';
import type { Table } from '../../../platform/database/tables.ts';
import { decides, defineDecisionEntity } from '../../people/access/index.ts';
import type { ClaimsSchema } from './claims-schema.ts';

/** A link with a secret key that admits to a site. */
export const ShareLink = defineDecisionEntity({
  name: 'ShareLink',
  tableName: 'share_link',
  properties: {
    id: text().primary(),
    organizationId: decides(text()),
    siteId: decides(text()),
    name: text(),
    isActive: decides(flag(true)),
    /** Encrypted, since admins can see the link again. */
    key: p.blob().$type<Buffer>(),
    /** Hash that presented keys are looked up by. */
    keyHash: hash(),
    createdBy: text().nullable(),
    createdAt: createdTime(),
    updatedAt: createdTime(),
    version: changes(),
    organization: reference('Organization', 'organization_id'),
    site: reference('Site', 'site_id'),
  },
  uniques: [{ name: 'share_link_key_unique', properties: ['keyHash'] }],
  indexes: [{ name: 'share_link_site_index', properties: ['siteId', 'createdAt', 'id'] }],
  triggers: [
    // Re-encrypting the key does not change the link.
    raisesVersion('((old.key = new.key) OR (old.updated_at IS DISTINCT FROM new.updated_at))'),
  ],
});

const AUTH_BACKENDS = ['custom', 'integration'] as const;

/** How visitors of a site are authenticated. Made with the site. */
export const SiteAuth = defineDecisionEntity({
  name: 'SiteAuth',
  tableName: 'site_auth',
  properties: {
    organizationId: decides(text()),
    siteId: decides(text().primary()),
    /** A random value that changes with the key. Visitors that an earlier key has admitted are no longer admitted. */
    keyId: decides(p.uuid()),
    /** Signs the tokens of visitors (HS256). Encrypted. */
    privateKey: p.blob().$type<Buffer>(),
    backend: p.enum(AUTH_BACKENDS).default('custom'),
    /** URL of the page where visitors sign in. */
    fallbackUrl: text().nullable(),
    logoutUrl: text().nullable(),
    updatedAt: createdTime(),
    site: reference('Site', 'site_id'),
    organization: reference('Organization', 'organization_id'),
  },
});

/** The claims that visitors of a site can have. */
export const SiteAdaptiveSchema = defineEntity({
  name: 'SiteAdaptiveSchema',
  tableName: 'site_adaptive_schema',
  properties: {
    siteId: text().primary(),
    organizationId: text(),
    jsonSchema: json<ClaimsSchema>(),
    updatedAt: createdTime(),
    site: reference('Site', 'site_id'),
    organization: reference('Organization', 'organization_id'),
  },
});

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    share_link: Table<typeof ShareLink>;
    site_auth: Table<typeof SiteAuth>;
    site_adaptive_schema: Table<typeof SiteAdaptiveSchema>;
  }
}
