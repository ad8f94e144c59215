import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { type AddressRules, allowedAddresses, privateAddress } from './allowed-addresses.ts';

export interface GuardedAgentOptions extends AddressRules {
  /** Time limit for connecting, accurate to one second. */
  timeoutMs: number;
}

/**
 * An agent that connects to allowed addresses only. It has no other time limit: the deadline of requests is stricter.
 */
export const guardedAgent = (options: GuardedAgentOptions): Agent =>
  new Agent({ connect: guardedConnect(options), headersTimeout: 0, bodyTimeout: 0 });

/**
 * Opens connections to allowed addresses only. Addresses are checked between resolution and connection, so that a name
 * cannot resolve to another address after the check.
 */
function guardedConnect({ resolve, allows, timeoutMs }: GuardedAgentOptions): buildConnector.connector {
  const connect = buildConnector({ timeout: timeoutMs, lookup: guardedLookup({ resolve, allows }) });
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
  (rules: AddressRules): LookupFunction =>
  (hostname, options, callback) => {
    allowedAddresses(hostname, rules).then(
      ([first, ...others]) => {
        if (options.all) callback(null, [first, ...others]);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
