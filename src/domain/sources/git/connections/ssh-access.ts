import { sql } from 'kysely';
import type { Context } from '../../../../platform/context/context.ts';
import type { RemoteFault, SshAccess } from '../transport/remote.ts';
import { sshKey } from './connection-secrets.ts';
import { newSshKey } from './ssh-key.ts';

/**
 * How the repository of a space is reached over SSH: with the key of the connection of the space to it. Throws
 * `UnreadableSecret`.
 */
export async function sshAccessOf(
  { db, services }: Context,
  { spaceId, repositoryUrl }: { spaceId: string; repositoryUrl: string },
): Promise<SshAccess | { fault: RemoteFault }> {
  const { gitProgram: program } = services.config;
  if (program === undefined) {
    return unreachable(
      'The repository has an address for SSH, which this service does not use: the setting GIT_PROGRAM is not set.',
    );
  }
  const row = await db
    .selectFrom('git_connection')
    .where('spaceId', '=', spaceId)
    .where('repositoryUrl', '=', repositoryUrl)
    .select(['id', 'sshPrivateKey', 'sshHostKeys'])
    .executeTakeFirst();
  if (!row?.sshPrivateKey) {
    return unreachable(
      'The space no longer has the connection to the repository whose key this run uses. Create it again.',
    );
  }
  return {
    program,
    privateKey: sshKey.read(services, row, row.sshPrivateKey),
    hostKeys: row.sshHostKeys ?? [],
    async pin(hostKeys) {
      if (hostKeys.length === 0) return;
      // Of two first contacts at the same time, the first one decides.
      await sql`update git_connection set ssh_host_keys = ${JSON.stringify(hostKeys)}::json
        where id = ${row.id} and repository_url = ${repositoryUrl} and ssh_host_keys is null`.execute(db);
    },
  };
}

const unreachable = (message: string) => ({ fault: { code: 'UNREACHABLE' as const, message } });

/** The columns of a new key pair of a connection. */
export function newKeyColumns(
  { services }: Context,
  connectionId: string,
): { sshPrivateKey: Buffer; sshPublicKey: string } {
  const { privateKey, publicKey } = newSshKey('stemma');
  return {
    sshPrivateKey: sshKey.encrypt(services, { id: connectionId }, privateKey),
    sshPublicKey: publicKey,
  };
}
