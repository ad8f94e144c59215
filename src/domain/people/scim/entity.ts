import { defineEntity } from '@mikro-orm/core';
import { createdTime, flag, hash, jsonb, reference, text, time } from '../../../platform/database/columns.ts';
import type { Table } from '../../../platform/database/tables.ts';
import type { Profile } from './schemas.ts';

/** A token with which an identity provider provisions an organization by SCIM. Only its hash is stored. */
export const ScimToken = defineEntity({
  name: 'ScimToken',
  tableName: 'scim_token',
  properties: {
    id: text().primary(),
    organizationId: text(),
    label: text(),
    secretHash: hash(),
    expiresAt: time().nullable(),
    lastUsedAt: time().nullable(),
    createdAt: createdTime(),
    organization: reference('Organization', 'organization_id'),
  },
  uniques: [{ name: 'scim_token_secret_unique', properties: ['secretHash'] }],
  indexes: [{ name: 'scim_token_organization_index', properties: ['organizationId', 'createdAt', 'id'] }],
});

/** The attributes of a member that SCIM manages. The row ends with the membership. */
export const ScimUser = defineEntity({
  name: 'ScimUser',
  tableName: 'scim_user',
  properties: {
    organizationId: text().primary(),
    userId: text().primary(),
    userName: text(),
    externalId: text().nullable(),
    /** The attributes that have no column. */
    profile: jsonb<Profile>(),
    /** SCIM has disabled the member, so that it can enable it again. */
    hasDisabled: flag(false),
    createdAt: createdTime(),
    updatedAt: createdTime(),
    organization: reference('Organization', 'organization_id'),
    user: reference('User', 'user_id'),
  },
  uniques: [
    {
      name: 'scim_user_name_unique',
      expression: 'create unique index "scim_user_name_unique" on "scim_user" ("organization_id", lower("user_name"))',
    },
  ],
});

/** The external ID of a team that SCIM manages. The row ends with the team. */
export const ScimGroup = defineEntity({
  name: 'ScimGroup',
  tableName: 'scim_group',
  properties: {
    teamId: text().primary(),
    organizationId: text(),
    externalId: text().nullable(),
    createdAt: createdTime(),
    updatedAt: createdTime(),
    team: reference('Team', 'team_id'),
    organization: reference('Organization', 'organization_id'),
  },
});

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    scim_token: Table<typeof ScimToken>;
    scim_user: Table<typeof ScimUser>;
    scim_group: Table<typeof ScimGroup>;
  }
}
