import { defineEntity, p } from '@mikro-orm/core';
import { reference, text, time } from '../../../platform/database/columns.ts';
import type { Table } from '../../../platform/database/tables.ts';

export const EMAIL_DOMAIN_STATUSES = ['dns_passed', 'dns_no_txt', 'internal_error'] as const;

/**
 * The result of the last check of an email domain for an organization that lists it. If several organizations list a
 * domain, it is verified for each organization whose DNS record it has.
 */
export const EmailDomainProof = defineEntity({
  name: 'EmailDomainProof',
  tableName: 'email_domain_proof',
  properties: {
    domain: text().primary(),
    organizationId: text().primary(),
    status: p.enum(EMAIL_DOMAIN_STATUSES),
    /** Time of the first of the successful checks since the last failure. Null if the last response was wrong. */
    verifiedAt: time().nullable(),
    checkedAt: time(),
    organization: reference('Organization', 'organization_id'),
  },
  indexes: [
    { name: 'email_domain_proof_organization_index', properties: ['organizationId'] },
    { name: 'email_domain_proof_checked_index', properties: ['checkedAt'] },
  ],
});

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    email_domain_proof: Table<typeof EmailDomainProof>;
  }
}
