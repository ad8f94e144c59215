import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/**
 * Servers of other projects, on the same database. They check no token and no permission:
 *
 *   postgraphile  PostGraphile 5 with its usual preset, which makes its own graph of the tables: see `postgraphile.ts`
 *   mercurius     Mercurius with graphql-jit, DataLoader and `pg` by hand
 *   yoga          GraphQL Yoga on node:http, DataLoader and `pg` by hand
 *   fastify       REST by a bare Fastify and `pg`
 */
export const PEERS = ['postgraphile', 'mercurius', 'yoga', 'fastify'] as const;

export type Peer = (typeof PEERS)[number];

export const isPeer = (name: string): name is Peer => PEERS.some((peer) => peer === name);

export const PEERS_DIRECTORY = join(import.meta.dirname, 'peers');

/** Installs what the peers need, from their own lock file, unless it was installed since the file changed. */
export async function installPeers(): Promise<void> {
  // npm keeps what it installed in this file.
  const [wanted, installed] = await Promise.all(
    ['package-lock.json', 'node_modules/.package-lock.json'].map(changedAt),
  );
  if (installed !== undefined && installed >= (wanted ?? 0)) return;
  process.stderr.write(`Installing the peers in ${PEERS_DIRECTORY}.\n`);
  await promisify(execFile)('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: PEERS_DIRECTORY });
}

const changedAt = async (path: string): Promise<number | undefined> =>
  (await stat(join(PEERS_DIRECTORY, path)).catch(() => undefined))?.mtimeMs;
