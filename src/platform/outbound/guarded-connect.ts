import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { OutboundError } from './outbound-error.ts';

/** Resolves a host name to all of its addresses. */
export type Resolve = (hostname: string) => Promise<LookupAddress[]>;

/** Resolves with the operating system, including its hosts file. */
export const resolveBySystem: Resolve = (hostname) => lookup(hostname, { all: true });

export interface GuardedConnectOptions {
  resolve: Resolve;
  /** Whether connections to an address are allowed. */
  allows: (address: string) => boolean;
  /** Time limit for connecting, accurate to one second. */
  timeoutMs: number;
}

/**
 * Opens connections to allowed addresses only. Addresses are checked between resolution and connection, so that a name
 * cannot resolve to another address after the check.
 */
export function guardedConnect({ resolve, allows, timeoutMs }: GuardedConnectOptions): buildConnector.connector {
  const connect = buildConnector({ timeout: timeoutMs, lookup: guardedLookup(resolve, allows) });
  return (options, callback) => {
    // Addresses as host names are not resolved.
    if (isIP(options.hostname) !== 0 && !allows(options.hostname)) {
      callback(privateAddress(options.hostname), null);
      return;
    }
    connect(options, callback);
  };
}

/** The lookup of a socket. Omits addresses that are not allowed, and fails if none is left. */
const guardedLookup =
  (resolve: Resolve, allows: GuardedConnectOptions['allows']): LookupFunction =>
  (hostname, options, callback) => {
    allowedAddresses(hostname, { resolve, allows }).then(
      ([first, ...others]) => {
        if (options.all) callback(null, [first, ...others]);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };

/**
 * The allowed addresses of a host, for programs that connect by themselves: they must be given an address, since the name can resolve to
 * another one later. Fails with `OutboundError` if none is allowed, and with the error of the resolution.
 */
export async function allowedAddresses(
  hostname: string,
  { resolve, allows }: Pick<GuardedConnectOptions, 'resolve' | 'allows'>,
): Promise<[LookupAddress, ...LookupAddress[]]> {
  const [first, ...others] = (await resolve(hostname)).filter(({ address }) => allows(address));
  if (first === undefined) throw privateAddress(hostname);
  return [first, ...others];
}

const privateAddress = (hostname: string) =>
  new OutboundError(
    'PRIVATE_ADDRESS',
    `${hostname} resolves to a private address. Only public addresses are allowed, unless an operator sets ALLOW_PRIVATE_NETWORK=1.`,
  );
