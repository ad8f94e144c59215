import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { OutboundError } from './outbound-error.ts';

/** All addresses of a name. */
export type Resolve = (hostname: string) => Promise<LookupAddress[]>;

/** As the system resolves it, with its hosts file. */
export const resolveBySystem: Resolve = (hostname) => lookup(hostname, { all: true });

export interface GuardedConnectOptions {
  resolve: Resolve;
  /** Which addresses may be connected to. */
  allows: (address: string) => boolean;
  /** An attempt is given up after this, to within a second. */
  timeoutMs: number;
}

/**
 * Opens connections to allowed addresses only. What a name resolves to is judged between the resolution and the
 * connection, which goes to the very address that was judged: a name that answers differently the next time gains nothing.
 */
export function guardedConnect({ resolve, allows, timeoutMs }: GuardedConnectOptions): buildConnector.connector {
  const connect = buildConnector({ timeout: timeoutMs, lookup: guardedLookup(resolve, allows) });
  return (options, callback) => {
    // A host that is an address is connected to without a lookup.
    if (isIP(options.hostname) !== 0 && !allows(options.hostname)) {
      callback(privateAddress(options.hostname), null);
      return;
    }
    connect(options, callback);
  };
}

/** The lookup of a socket. Refused addresses are left out of the answer; a name that has no other is refused. */
const guardedLookup =
  (resolve: Resolve, allows: GuardedConnectOptions['allows']): LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const [first, ...others] = addresses.filter(({ address }) => allows(address));
        if (first === undefined) callback(privateAddress(hostname), []);
        else if (options.all) callback(null, [first, ...others]);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };

const privateAddress = (hostname: string) =>
  new OutboundError(
    'PRIVATE_ADDRESS',
    `${hostname} resolves to a private address. Only public addresses are allowed, unless an operator sets ALLOW_PRIVATE_NETWORK=1.`,
  );
