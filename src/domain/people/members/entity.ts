import { roleColumn } from '../../../platform/access/role-column.ts';
import { createdTime, flag, reference, text, time } from '../../../platform/database/columns.ts';
import type { Table } from '../../../platform/database/tables.ts';
import { decides, defineDecisionEntity } from '../access/index.ts';

/** A member of an organization. The role of guests is null: they only have granted access. */
export const Membership = defineDecisionEntity({
  name: 'Membership',
  tableName: 'membership',
  properties: {
    id: text().primary(),
    organizationId: decides(text()),
    userId: decides(text()),
    role: decides(roleColumn().nullable()),
    /** Disabled members have no access. */
    isDisabled: decides(flag(false)),
    isSso: flag(false),
    /**
     * The person has joined, or been active here. False for an account that an admin has added by its address: events
     * of the account, such as sign-ins, are not shown to the organization.
     */
    isAccepted: flag(true),
    /** Set by operators: admins with it need no SSO where it is enforced. */
    isBreakGlass: decides(flag(false)),
    /**
     * The identity provider that gave the role, which then counts for sign-ins with that provider. Null: an
     * administrator gave it.
     */
    roleProviderId: decides(text().nullable()),
    /**
     * The address that the provider or the invitation gave. It is shown in the organization, and does not identify an
     * account.
     */
    email: text().nullable(),
    /**
     * Members who had signed in with SSO before subjects were remembered: the address whose next sign-in is remembered
     * as theirs, once.
     */
    linkableEmail: text().nullable(),
    joinedAt: createdTime(),
    lastSeenAt: time().nullable(),
    organization: reference('Organization', 'organization_id'),
    user: reference('User', 'user_id'),
    roleProvider: reference('IdentityProvider', 'role_provider_id').nullable(),
  },
  uniques: [{ name: 'membership_organization_user_unique', properties: ['organizationId', 'userId'] }],
  indexes: [
    { name: 'membership_user_index', properties: ['userId', 'organizationId'] },
    { name: 'membership_joined_index', properties: ['organizationId', 'joinedAt', 'id'] },
    {
      name: 'membership_email_index',
      expression: 'create index "membership_email_index" on "membership" ("organization_id", lower("email"))',
    },
  ],
});

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    membership: Table<typeof Membership>;
  }
}
