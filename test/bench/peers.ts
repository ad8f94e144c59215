import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
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

/** Installs what the peers need, from their own lock file, unless it is there. */
export async function installPeers(): Promise<void> {
  if (existsSync(join(PEERS_DIRECTORY, 'node_modules'))) return;
  process.stderr.write(`Installing the peers in ${PEERS_DIRECTORY}.\n`);
  await promisify(execFile)('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: PEERS_DIRECTORY });
}
