import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from './config.ts';

/** What the first start made. */
export interface FirstStart {
  organizationId: string;
  token: string;
}

/**
 * In production, standard output that is no terminal ends up in logs, where a token has no place: then it is kept in a
 * file. A token that was given need not be shown either.
 */
const isLogged = ({ isProduction }: Config) => isProduction && !process.stdout.isTTY;

const tokenFile = (dataDir: string) => join(dataDir, 'first-token');

/** Keeps the first token in a file for its owner alone, where it is not going to be shown. */
export async function keepToken(config: Config, dataDir: string, token: string): Promise<void> {
  if (!isLogged(config) || config.bootstrapToken !== undefined) return;
  await rm(tokenFile(dataDir), { force: true });
  await writeFile(tokenFile(dataDir), `${token}\n`, { mode: 0o600, flag: 'wx' });
}

/** Says where the service listens, and after the first start how to get in: on the terminal, or in the log. */
export function announce(
  config: Config,
  { port, first, log, dataDir }: { port: number; first: FirstStart | undefined; log: Logger; dataDir: string },
): void {
  if (!isLogged(config)) {
    process.stdout.write(welcome(config, port, first));
    return;
  }
  log.info({ url: config.publicUrl }, `Stemma listens on http://${config.host}:${port}`);
  if (first && config.bootstrapToken === undefined) {
    log.warn(`The first administrator's token is in ${tokenFile(dataDir)}. Read it, then remove the file.`);
  }
}

/** What a terminal shows: where the service is, and after the first start the token and something to try. */
function welcome(config: Config, port: number, first: FirstStart | undefined): string {
  const address = config.port === 0 ? `http://localhost:${port}` : config.publicUrl;
  const lines = [
    '',
    `Stemma listens on http://${config.host}:${port}`,
    `  GraphiQL  ${address}/graphql`,
    `  REST      ${address}/v1`,
    '',
  ];
  if (!first) return `${lines.join('\n')}\n`;
  const query = '{ viewer { displayName organizations { nodes { title spaces { nodes { id title } } } } } }';
  return `${[
    ...lines,
    "The first administrator's token, shown only now:",
    '',
    `  ${first.token}`,
    '',
    'A first query to paste:',
    '',
    `  curl ${address}/graphql -H 'content-type: application/json' \\`,
    `    -H 'authorization: Bearer ${first.token}' \\`,
    `    -d '${JSON.stringify({ query })}'`,
    '',
  ].join('\n')}\n`;
}
