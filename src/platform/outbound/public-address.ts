import ipaddr from 'ipaddr.js';

/**
 * Whether an address is of the public internet (IANA's special-purpose registries, RFC 6890). It is judged by what it
 * reaches: the IPv4 address inside an IPv4-mapped (RFC 4291, 2.5.5) or NAT64 (RFC 6052) one decides. Other wrappings,
 * such as 6to4 and Teredo, are out of use and count as private.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (address.kind() === 'ipv4') return address.range() === 'unicast' && address.toString() !== AZURE_HOST;
  const bytes = address.toByteArray();
  if (address.match(NAT64)) return isPublicAddress(bytes.slice(12).join('.'));
  return address.range() === 'unicast' && address.match(GLOBAL_UNICAST);
}

/** The host of an Azure machine answers here with its secrets, as 169.254.169.254 does elsewhere; the range is public. */
const AZURE_HOST = '168.63.129.16';

const NAT64 = ipaddr.parseCIDR('64:ff9b::/96');

/** All that IANA has given out for global unicast; what is outside of it is of no use or of a special one. */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3');
