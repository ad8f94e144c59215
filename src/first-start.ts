import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from './config.ts';

/** Result of the first start. */
export interface FirstStart {
  organizationId: string;
  token: string;
  /** The path of the link that signs the administrator in once. Undefined if it would be logged. */
  signInPath: string | undefined;
}

/**
 * In production, standard output that is not a terminal usually goes to logs, which must contain neither the token nor
 * the link. The token is written to a file instead, unless it was configured.
 */
export const isOutputLogged = ({ isProduction }: Config) => isProduction && !process.stdout.isTTY;

const tokenFile = (dataDir: string) => join(dataDir, 'first-token');

/** Writes the first token to a file that only the owner can read, if it is not going to be shown. */
export async function saveToken(config: Config, dataDir: string, token: string): Promise<void> {
  if (!isOutputLogged(config) || config.bootstrapToken !== undefined) return;
  await rm(tokenFile(dataDir), { force: true });
  await writeFile(tokenFile(dataDir), `${token}\n`, { mode: 0o600, flag: 'wx' });
}

/** Writes the address of the service, and after the first start how to sign in, to the terminal or the log. */
export function announce(
  config: Config,
  { port, first, log, dataDir }: { port: number; first: FirstStart | undefined; log: Logger; dataDir: string },
): void {
  if (!isOutputLogged(config)) {
    process.stdout.write(welcome(config, port, first));
    return;
  }
  log.info({ url: config.publicUrl, node: process.versions.node }, `Stemma listens on http://${config.host}:${port}`);
  if (first && config.bootstrapToken === undefined) {
    log.warn(`The first administrator's token is in ${tokenFile(dataDir)}. Read it and remove the file.`);
  }
}

/**
 * The message for a terminal: the URLs, and after the first start the token, an example query and a link that signs in.
 */
function welcome(config: Config, port: number, first: FirstStart | undefined): string {
  const address = config.port === 0 ? `http://localhost:${port}` : config.publicUrl;
  const lines = [
    '',
    `Stemma listens on http://${config.host}:${port}`,
    `  Overview  ${address}/`,
    `  GraphiQL  ${address}/graphql (opens with queries to try)`,
    `  REST      ${address}/v1, described at ${address}/docs`,
    `  Handbook  ${address}/handbook`,
    `  App       ${address}/app`,
    `  Account   ${address}/account`,
    '',
  ];
  if (!first) return `${lines.join('\n')}\n`;
  const query = '{ viewer { displayName organizations { nodes { title spaces { nodes { id title } } } } } }';
  return `${[
    ...lines,
    'Access token of the first administrator (shown only once):',
    '',
    `  ${first.token}`,
    '',
    'Try a first query:',
    '',
    `  curl ${address}/graphql -H 'content-type: application/json' \\`,
    `    -H 'authorization: Bearer ${first.token}' \\`,
    `    -d '${JSON.stringify({ query })}'`,
    '',
    ...(first.signInPath === undefined
      ? []
      : ['Sign in with a browser (once, within ten minutes):', '', `  ${address}${first.signInPath}`, '']),
  ].join('\n')}\n`;
}
