import ipaddr from 'ipaddr.js';

/** Who an address is counted as: of IPv6, a whole /64 is one host's to use (RFC 4291, 2.5.4). */
export function addressBucket(address: string): string {
  if (!ipaddr.isValid(address)) return `address:${address.slice(0, 64)}`;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return `address:${parsed.toString()}`;
  const network = ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`);
  return `address:${network.toString()}/64`;
}
