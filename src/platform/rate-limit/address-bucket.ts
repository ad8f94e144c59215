import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';

/** What a proxy calls an address may be anything. */
const MAX_LENGTH = 64;

const ADDRESSES = 10_000;

/** Reading an address takes longer than the rest of counting a request. */
const known = new LRUCache<string, string>({ max: ADDRESSES });

/** Who an address is counted as: of IPv6, a whole /64 is one host's to use (RFC 4291, 2.5.4). */
export function addressBucket(address: string): string {
  const bucket = known.get(address) ?? bucketOf(address);
  if (address.length <= MAX_LENGTH) known.set(address, bucket);
  return bucket;
}

function bucketOf(address: string): string {
  if (!ipaddr.isValid(address)) return `address:${address.slice(0, MAX_LENGTH)}`;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return `address:${parsed.toString()}`;
  const network = ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`);
  return `address:${network.toString()}/64`;
}
