import { z } from 'zod';
import { idOf } from '../../../platform/operation/operation.ts';
import { multilineText, nameText } from '../../../platform/shapes/text.ts';
import { emailDomain } from './email-domain.ts';

/** Clients of the REST API validate titles with a pattern that requires two characters other than spaces. */
export const organizationTitle = nameText(255, 2)
  .regex(/\S.*\S/u, 'must begin and end with something other than spaces')
  .describe('Name of the organization, 2 to 255 characters.');

const MAX_EMAIL_DOMAINS = 100;

export const emailDomains = z
  .array(emailDomain)
  .max(MAX_EMAIL_DOMAINS, `must be at most ${MAX_EMAIL_DOMAINS} domains`)
  .transform((domains) => [...new Set(domains)])
  .describe(
    'Up to 100 email domains whose users can join the organization. A domain that another organization has verified has no effect until this organization verifies it too. Stored in lowercase without duplicates. Public suffixes such as `co.uk` are rejected.',
  );

export const organizationHostname = multilineText(3, 32)
  .regex(/^[a-z0-9][a-z0-9-]{1,30}[a-z0-9]$/, 'must be lowercase letters, digits and inner hyphens')
  .describe(
    'Default hostname of public content, 3 to 32 characters, unique across the service. CONFLICT if it is taken.',
  );

export const defaultContent = z
  .object({ siteId: idOf('site').optional().describe('ID of a site of the organization.') })
  .refine(({ siteId }) => siteId !== undefined, 'must contain a site')
  .meta({
    inputName: 'OrganizationDefaultContentInput',
    oneOf: true,
    description: 'Content that an organization shows by default.',
  });
