import { once } from 'node:events';
import { createServer } from 'node:net';
import { markErrorsHandled } from '../../lib/mark-handled.ts';

/** The address that a server listens on. */
interface Address {
  host: string;
  port: number;
}

/** Why a server cannot listen on an address, and how to correct it. Undefined if it can. */
export async function addressFault({ host, port }: Address): Promise<string | undefined> {
  const probe = markErrorsHandled(createServer());
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

/** Converts an error of `listen` to a message that names the setting to change. */
export function whyNotListening(error: unknown, { host, port }: Address): Error {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const words = WORDS[code]?.(host, port);
  if (words !== undefined) return new Error(words, { cause: error });
  return error instanceof Error ? error : new Error(String(error));
}

const WORDS: Record<string, (host: string, port: number) => string> = {
  EADDRINUSE: (host, port) =>
    `Port ${port} of ${host} is in use by another program. Stop that program, or set PORT to a free port.`,
  EACCES: (host, port) =>
    `This user may not listen on port ${port} of ${host}. Set PORT to a port above 1023, and use a proxy.`,
  EADDRNOTAVAIL: (host) =>
    `This machine has no address ${host}. Set HOST to one of its addresses, or to 0.0.0.0 for all.`,
  ENOTFOUND: (host) => `The host name ${host} cannot be resolved. Correct HOST.`,
};
