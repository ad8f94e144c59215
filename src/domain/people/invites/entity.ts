import { defineEntity, p } from '@mikro-orm/core';
import { roleColumn } from '../../../platform/access/role-column.ts';
import { createdTime, flag, hash, reference, text, time } from '../../../platform/database/columns.ts';
import type { Table } from '../../../platform/database/tables.ts';

/** An invitation of a person without an account, by email. Accepting deletes it. */
export const EmailInvite = defineEntity({
  name: 'EmailInvite',
  tableName: 'email_invite',
  properties: {
    id: text().primary(),
    organizationId: text(),
    email: text(),
    /** Null for guests. */
    role: roleColumn().nullable(),
    isSso: flag(false),
    /** The admin who invited is an operator of the service, whose word verifies an address. */
    isVouched: flag(false),
    secretHash: hash(),
    /** Encrypted, since it is sent later, or shown to admins where there is no mail server. */
    secret: p.blob().$type<Buffer>(),
    invitedBy: text().nullable(),
    createdAt: createdTime(),
    expiresAt: time(),
    /** Time when the mail server accepted the email. From then on, only its reader knows the secret. */
    sentAt: time().nullable(),
    organization: reference('Organization', 'organization_id'),
  },
  uniques: [
    {
      name: 'email_invite_email_unique',
      expression:
        'create unique index "email_invite_email_unique" on "email_invite" ("organization_id", lower("email"))',
    },
  ],
  indexes: [
    { name: 'email_invite_organization_index', properties: ['organizationId', 'createdAt', 'id'] },
    { name: 'email_invite_expiry_index', properties: ['expiresAt'] },
  ],
});

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    email_invite: Table<typeof EmailInvite>;
  }
}
