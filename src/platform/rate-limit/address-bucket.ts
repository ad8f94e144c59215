import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';

/** Proxies can send any text as the client address. */
const MAX_LENGTH = 64;

const ADDRESSES = 10_000;

/** Cached, since parsing an address takes longer than counting the request. */
const buckets = new LRUCache<string, string>({ max: ADDRESSES });

/**
 * The name under which an address is counted. For IPv6 it is the /64 network, since one host can use
 * all of it (RFC 4291, 2.5.4).
 */
export function addressBucket(address: string): string {
  const remembered = buckets.get(address);
  if (remembered !== undefined) return remembered;
  const bucket = bucketOf(address);
  if (address.length <= MAX_LENGTH) buckets.set(address, bucket);
  return bucket;
}

function bucketOf(address: string): string {
  if (!ipaddr.isValid(address)) return `address:${address.slice(0, MAX_LENGTH)}`;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return `address:${parsed.toString()}`;
  const network = ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`);
  return `address:${network.toString()}/64`;
}

/**
 * The network of an address bucket: a /24 of IPv4, a /48 of IPv6. One customer of a provider may have all of it (RFC
 * 6177, 2). Other buckets are returned unchanged.
 */
export function networkOf(bucket: string): string {
  const address = bucket.replace(/^address:/, '').replace(/\/64$/, '');
  if (!ipaddr.isValid(address)) return bucket;
  const isIPv4 = ipaddr.parse(address).kind() === 'ipv4';
  const range = `${address}/${isIPv4 ? 24 : 48}`;
  const network = isIPv4 ? ipaddr.IPv4.networkAddressFromCIDR(range) : ipaddr.IPv6.networkAddressFromCIDR(range);
  return `network:${network.toString()}/${isIPv4 ? 24 : 48}`;
}
