// Plain JavaScript, so that a Node that runs no TypeScript can read it and say what is missing. `main.ts` is a symbolic
// link to this file: Node goes by the name that a link leads to.
if (process.features.typescript) {
  await import('./start.ts');
} else {
  process.stderr.write(
    `Stemma needs Node 22.18 or newer, which runs TypeScript as it is; this is Node ${process.versions.node}.
Start it with "npm start": after "npm ci" that runs the Node 24 in node_modules.
`,
  );
  process.exitCode = 1;
}
