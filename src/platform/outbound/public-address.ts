import ipaddr from 'ipaddr.js';

/**
 * Whether an address belongs to the public internet (IANA's special-purpose registries, RFC 6890). For IPv4-mapped (RFC
 * 4291, 2.5.5) and NAT64 (RFC 6052) addresses, the contained IPv4 address decides. Other embeddings, such as 6to4 and
 * Teredo, are obsolete and count as private.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (address.kind() === 'ipv4') return address.range() === 'unicast' && address.toString() !== AZURE_HOST;
  const bytes = address.toByteArray();
  if (address.match(NAT64)) return isPublicAddress(bytes.slice(12).join('.'));
  return address.range() === 'unicast' && address.match(GLOBAL_UNICAST);
}

/** Azure's metadata service at this public address returns secrets, as 169.254.169.254 does elsewhere. */
const AZURE_HOST = '168.63.129.16';

const NAT64 = ipaddr.parseCIDR('64:ff9b::/96');

/** All addresses that IANA has allocated for global unicast. */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3');
