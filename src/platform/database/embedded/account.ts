import { readFile } from 'node:fs/promises';
import type { Programs } from './programs.ts';
import { succeeds } from './run.ts';

/** How to start PostgreSQL's programs: a command prefix, and the user that owns their files. */
export interface OsAccount {
  readonly prefix: readonly string[];
  readonly uid: number | undefined;
}

/**
 * PostgreSQL refuses to run as root, so root starts it as another user. Other users start it as themselves.
 *
 * - In a user namespace, the programs see another user while the kernel still sees root, so no permissions have to be
 *   changed (user_namespaces(7)).
 * - Where namespaces are forbidden, as in many containers, the programs run as a system user with the capability to
 *   enter directories that are closed to it, such as a clone in root's home. `no_setuid_fixup` makes access(2) honour
 *   it.
 */
export async function serverAccount({ initdb, environment }: Programs): Promise<OsAccount> {
  const runs = (prefix: string[]) => succeeds([...prefix, initdb, '--version'], environment);
  const guard = (await runs(dieWithParent)) ? dieWithParent : [];
  if (process.geteuid?.() !== 0) return { prefix: guard, uid: undefined };

  const { uid, gid } = await systemUser();
  const mapped = ['unshare', '--user', `--map-user=${uid}`, `--map-group=${gid}`, '--', ...guard];
  if (await runs(mapped)) return { prefix: mapped, uid: 0 };
  const switched = ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', ...passDirectories, ...dieOption];
  if (await runs(switched)) return { prefix: switched, uid };
  throw new Error(
    'PostgreSQL does not run as root, and neither a user namespace (unshare) nor a change of user (setpriv) is allowed here. Run the service as an ordinary user, or set DATABASE_URL to a PostgreSQL server.',
  );
}

const passDirectories = ['--securebits=+no_setuid_fixup', '--inh-caps=+dac_override', '--ambient-caps=+dac_override'];

/** Makes the kernel stop the server when this process ends for any reason (prctl(2), PR_SET_PDEATHSIG). */
const dieOption = ['--pdeathsig', 'INT', '--'];
const dieWithParent = ['setpriv', ...dieOption];

/** A user other than root that has a name, since initdb fails for bare numbers. */
async function systemUser(): Promise<{ uid: number; gid: number }> {
  const users = (await readFile('/etc/passwd', 'utf8'))
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name, , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter(({ uid }) => uid > 0);
  const user = users.find(({ name }) => name === 'postgres') ?? users.find(({ name }) => name === 'nobody') ?? users[0];
  if (user) return user;
  throw new Error(
    'PostgreSQL does not run as root, and /etc/passwd has no other user. Create one, or set DATABASE_URL.',
  );
}
