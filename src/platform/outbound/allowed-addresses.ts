import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { OutboundError } from './outbound-error.ts';

/** Resolves a host name to all of its addresses. */
export type Resolve = (hostname: string) => Promise<LookupAddress[]>;

/** Resolves with the operating system, including its hosts file. */
export const resolveBySystem: Resolve = (hostname) => lookup(hostname, { all: true });

/** Which addresses of a host are connected to. */
export interface AddressRules {
  resolve: Resolve;
  /** Whether connections to an address are allowed. */
  allows: (address: string) => boolean;
}

/**
 * The allowed addresses of a host, for programs that connect by themselves: they must be given an address, since the
 * name can resolve to another one later. Fails with `OutboundError` if none is allowed, and with the error of the
 * resolution.
 */
export async function allowedAddresses(
  hostname: string,
  { resolve, allows }: AddressRules,
): Promise<[LookupAddress, ...LookupAddress[]]> {
  const [first, ...others] = (await resolve(hostname)).filter(({ address }) => allows(address));
  if (first === undefined) throw privateAddress(hostname);
  return [first, ...others];
}

export const privateAddress = (hostname: string) =>
  new OutboundError(
    'PRIVATE_ADDRESS',
    `${hostname} resolves to a private address. Only public addresses are allowed, unless an operator sets ALLOW_PRIVATE_NETWORK=1.`,
  );
