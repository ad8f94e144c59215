import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { badInput } from '../../../platform/errors/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { organizationFor, permissions } from '../access/index.ts';
import { emailDomainStatus, storeEmailDomainStatus } from './check-email-domain.ts';
import { hostName } from './email-domain.ts';

const needed = permissions.verifyEmailDomain.organization;

export const verifyEmailDomain = command({
  name: 'verifyEmailDomain',
  scope: 'admin',
  description:
    'Checks now whether an email domain of an organization has the TXT record that `emailDomainStates` names. The domain is then checked again every ten minutes, and once a day after it is verified. While it is verified for an organization, it has no effect for organizations that only list it.',
  input: z.object({
    organizationId: idOf('org'),
    domain: hostName.describe('One of the email domains of the organization.'),
  }),
  authorize: (ctx, { organizationId = '' }) => organizationFor(ctx, organizationId, needed),
  async prepare(ctx, { organizationId, domain }) {
    await listing(ctx, organizationId, domain);
    return emailDomainStatus(ctx, { organizationId, domain });
  },
  async run(ctx, { organizationId, domain }, status) {
    await listing(ctx, organizationId, domain);
    await storeEmailDomainStatus(ctx, { organizationId, domain }, status);
    await recordEvent(ctx, { kind: 'organization_email_domain_checked', organizationId });
    return { organizationId };
  },
});

/** Locks the organization. BAD_USER_INPUT unless it lists the domain. */
async function listing(ctx: Context, organizationId: string, domain: string): Promise<void> {
  const { emailDomains } = await organizationFor(ctx, organizationId, needed, 'for no key update');
  if (!emailDomains.includes(domain)) {
    throw badInput(
      ['domain'],
      `"${domain}" is not one of the email domains of the organization. Add it first.`,
      'NOT_FOUND',
    );
  }
}
