import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/*
 * `node run.mjs [options of Node] FILE [arguments]`, as the npm scripts call it. Runs the file with the Node that runs npm, if
 * that is new enough, else with the packaged one, which is the `node` of npm scripts where it is installed.
 */

const OLDEST = [22, 18];

const isNewEnough = (version = '') => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
};

/** The user agent of npm names its Node: `npm/11.6.0 node/v24.9.0 linux x64`. */
const own = /\bnode\/v([\d.]+)/.exec(process.env.npm_config_user_agent ?? '')?.[1];
const node = isNewEnough(own) ? process.env.npm_node_execpath : undefined;

if (node === undefined && !isNewEnough(process.versions.node)) {
  process.stderr.write(
    `Stemma needs Node ${OLDEST.join('.')} or newer. This is Node ${process.versions.node}.
Where "npm ci" installs optional packages, on Linux and Windows, they contain a Node that the npm scripts use.
`,
  );
  process.exit(1);
}

// Compiled modules are kept, so that the next start takes half the time.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules', '.cache', 'stemma');
// Node 22 warns of `node:sqlite`, which a package looks for.
const command = [node ?? process.execPath, '--disable-warning=ExperimentalWarning', ...process.argv.slice(2)];
// The program takes the place of this process and gets its signals. Windows and Node 20 have no such call.
if (process.execve && process.platform !== 'win32') process.execve(command[0], command);
else process.exitCode = spawnSync(command[0], command.slice(1), { stdio: 'inherit' }).status ?? 1;
