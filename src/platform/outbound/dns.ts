import { Resolver } from 'node:dns/promises';

/** Reads records of the domain name system. */
export interface Dns {
  /**
   * The targets of the CNAME records of a name, in lowercase and without the final dot. Empty if the name has none or
   * does not exist. Throws if no server answers in time.
   */
  cname(hostname: string): Promise<string[]>;
  /**
   * The texts of the TXT records of a name, the parts of each joined (RFC 7208, 3.3). Empty and throws as for `cname`.
   */
  txt(hostname: string): Promise<string[]>;
}

const TIMEOUT_MS = 3_000;
const MAX_TRIES = 2;

/** Codes of responses without records: the name does not exist, or has records of other types only. */
const NO_RECORDS = new Set(['ENODATA', 'ENOTFOUND']);

/** Asks the servers that the system is configured with, or the given ones. It connects to nothing that records name. */
export function makeDns(servers?: readonly string[]): Dns {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: MAX_TRIES });
  if (servers) resolver.setServers(servers);
  return {
    async cname(hostname) {
      const targets = await orNone(resolver.resolveCname(hostname));
      return targets.map((target) => target.toLowerCase().replace(/\.$/, ''));
    },
    async txt(hostname) {
      const records = await orNone(resolver.resolveTxt(hostname));
      return records.map((parts) => parts.join(''));
    },
  };
}

async function orNone<Found>(records: Promise<Found[]>): Promise<Found[]> {
  try {
    return await records;
  } catch (error) {
    if (error instanceof Error && 'code' in error && NO_RECORDS.has(String(error.code))) return [];
    throw error;
  }
}
