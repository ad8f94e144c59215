/**
 * Loads a program, which is written in TypeScript. With a version of Node that does not support TypeScript, prints what to do
 * and exits with 1: the files of programs that are started are plain JavaScript, and `<program>.ts` beside each is a symbolic
 * link to it, since Node detects the language by the name of the target.
 */
export async function withTypeScript(command, load) {
  if (process.features.typescript) return load();
  process.stderr.write(
    `Stemma needs Node 22.18 or newer, which runs TypeScript. This is Node ${process.versions.node}.
Start it with "${command}", which uses Node 26 from node_modules after "npm ci".
`,
  );
  process.exitCode = 1;
}
