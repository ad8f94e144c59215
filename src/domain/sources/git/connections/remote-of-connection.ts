import type { Context } from '../../../../platform/context/context.ts';
import { isSsh } from '../repository-url.ts';
import type { Remote } from '../transport/remote.ts';
import type { GitConnectionRow } from './access.ts';
import { credentialsOf } from './credentials.ts';
import { sshAccessOf } from './ssh-access.ts';

/** Time limit of a request that only asks for branches. */
const ASK_MS = 30_000;

/** The remote of a connection, with its credentials. */
export async function remoteOfConnection(ctx: Context, row: GitConnectionRow): Promise<Remote> {
  const credentials = await credentialsOf(ctx, row);
  return {
    url: row.repositoryUrl,
    authorization: credentials === undefined ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`,
    ref: row.ref,
    allowPrivateNetwork: ctx.services.config.allowPrivateNetwork,
    timeoutMs: ASK_MS,
    ...(isSsh(row.repositoryUrl) && { ssh: await sshAccessOf(ctx, row) }),
  };
}
