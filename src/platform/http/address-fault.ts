import { once } from 'node:events';
import { createServer } from 'node:net';

/** Where a server is to listen. */
interface Address {
  host: string;
  port: number;
}

/** What keeps a server from listening at an address, and what to do about it; undefined when nothing does. */
export async function addressFault({ host, port }: Address): Promise<string | undefined> {
  const probe = createServer();
  try {
    const listening = once(probe, 'listening');
    probe.listen({ host, port });
    await listening;
    return undefined;
  } catch (error) {
    return whyNotListening(error, { host, port }).message;
  } finally {
    probe.close();
  }
}

/** An error of listening in words that name the setting to change. */
export function whyNotListening(error: unknown, { host, port }: Address): Error {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const words = WORDS[code]?.(host, port);
  if (words !== undefined) return new Error(words, { cause: error });
  return error instanceof Error ? error : new Error(String(error));
}

const WORDS: Record<string, (host: string, port: number) => string> = {
  EADDRINUSE: (host, port) =>
    `Port ${port} of ${host} is in use by another program. Stop that one, or set PORT to a free port.`,
  EACCES: (host, port) =>
    `This user is not allowed to listen on port ${port} of ${host}. Set PORT to one above 1023, and put a proxy in front.`,
  EADDRNOTAVAIL: (host) => `This machine has no address ${host}. Set HOST to one that it has, or to 0.0.0.0 for all.`,
  ENOTFOUND: (host) => `The name ${host} has no address. Correct HOST.`,
};
