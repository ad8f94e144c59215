import { loadWhenUsed } from '../../../lib/load-when-used.ts';
import { withCode } from '../../../lib/validation/issue-code.ts';
import { multilineText } from '../../../platform/shapes/text.ts';

/** Labels of 1 to 63 letters, digits and hyphens (RFC 1123, 2.1). */
const HOST_NAME = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;

/** A hostname in lowercase. */
export const hostName = multilineText(1, 253)
  .toLowerCase()
  .regex(HOST_NAME, {
    error: 'must be a hostname such as example.com, with other scripts in Punycode',
    ...withCode('INVALID_FORMAT'),
    abort: true,
  });

/**
 * A hostname that a registrant can own: not a public suffix such as `co.uk` (publicsuffix.org), and not an IP address.
 */
export const emailDomain = hostName.refine((name) => !cannotBeOwned(name), {
  error: 'must be a domain that an organization can own, such as example.com, not a public suffix or an IP address',
});

const suffixes = loadWhenUsed<typeof import('tldts')>('tldts');

function cannotBeOwned(name: string): boolean {
  const { domain, isIp } = suffixes().parse(name, { allowPrivateDomains: true });
  return isIp === true || domain === null;
}
