import type { EventRow } from '../../../platform/events/read-events.ts';
import { query } from '../../../platform/operation/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { desc } from '../../../platform/paging/order.ts';
import { assertAdmin } from '../../people/access/index.ts';
import { type AuditFilters, auditFilters, auditInput, passesAudit } from './audit-input.ts';

const auditOfOrganization = listing<AuditFilters, EventRow>({
  name: 'organization.auditEvents',
  from: 'event as e',
  parent: 'organizationId',
  where: passesAudit,
  order: [desc('transactionId', 'xid8'), desc('id')],
});

export const listAuditEvents = query({
  name: 'listAuditEvents',
  scope: 'admin',
  description:
    'Lists the audited events of an organization, newest first: what people did with members, permissions, tokens, sign-ins, SSO, keys, exports, settings and deletions, with the client and the changed settings. ' +
    'Events of an account, such as its tokens and sign-ins, are events of every organization that the person is a member of. ' +
    'Edits of content and discussions are not audited, because their history shows them. Only for admins of the organization.',
  input: auditInput,
  authorize: (ctx, { organizationId = '' }) => assertAdmin(ctx, organizationId),
  async run(ctx, { organizationId, ...input }) {
    await assertAdmin(ctx, organizationId);
    return auditOfOrganization(ctx, organizationId, auditFilters(input));
  },
});
