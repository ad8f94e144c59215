import { Resolver } from 'node:dns/promises';

/** Reads records of the domain name system. */
export interface Dns {
  /**
   * The targets of the CNAME records of a name, in lowercase and without the final dot. Empty if the name has none or does
   * not exist. Throws if no server answers in time.
   */
  cname(hostname: string): Promise<string[]>;
}

const TIMEOUT_MS = 3_000;
const TRIES = 2;

/** Codes of answers without records: the name does not exist, or has records of other types only. */
const NO_RECORDS = new Set(['ENODATA', 'ENOTFOUND']);

/** Asks the servers that the system is configured with, or the given ones. It connects to nothing that records name. */
export function makeDns(servers?: readonly string[]): Dns {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  if (servers) resolver.setServers(servers);
  return {
    async cname(hostname) {
      try {
        const targets = await resolver.resolveCname(hostname);
        return targets.map((target) => target.toLowerCase().replace(/\.$/, ''));
      } catch (error) {
        if (error instanceof Error && 'code' in error && NO_RECORDS.has(String(error.code))) return [];
        throw error;
      }
    },
  };
}
