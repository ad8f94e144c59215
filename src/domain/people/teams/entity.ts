import { defineEntity, p } from '@mikro-orm/core';
import { createdTime, flag, reference, text } from '../../../platform/database/columns.ts';
import type { Table } from '../../../platform/database/tables.ts';
import { decides, defineDecisionEntity } from '../access/index.ts';

/** A group of members of one organization that access can be granted to. */
export const Team = defineEntity({
  name: 'Team',
  tableName: 'team',
  properties: {
    id: text().primary(),
    organizationId: text(),
    title: text(),
    createdAt: createdTime(),
    organization: reference('Organization', 'organization_id'),
  },
  indexes: [{ name: 'team_organization_index', properties: ['organizationId', 'title', 'id'] }],
});

const TEAM_ROLES = ['owner', 'member'] as const;

/** A member of a team. Owners can change the members of the team. */
export const TeamMember = defineDecisionEntity({
  name: 'TeamMember',
  tableName: 'team_member',
  properties: {
    organizationId: decides(text()),
    teamId: decides(text().primary()),
    userId: decides(text().primary()),
    role: decides(p.enum(TEAM_ROLES).default('member')),
    /** The identity provider that added the member, which then counts for sign-ins with that provider. */
    samlProviderId: decides(text().nullable()),
    /** Whether a group that the provider has named brought the member, who leaves the team with the group. */
    isClaimed: flag(false),
    addedAt: createdTime(),
    team: reference('Team', 'team_id'),
    user: reference('User', 'user_id'),
    organization: reference('Organization', 'organization_id'),
    samlProvider: reference('IdentityProvider', 'saml_provider_id').nullable(),
  },
  indexes: [{ name: 'team_member_user_index', properties: ['organizationId', 'userId', 'teamId'] }],
});

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    team: Table<typeof Team>;
    team_member: Table<typeof TeamMember>;
  }
}
