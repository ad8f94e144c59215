// Plain JavaScript, so that a version of Node without TypeScript support can run it and print a message. `main.ts` is a
// symbolic link to this file: Node detects the language by the name of the target.
if (process.features.typescript) {
  await import('./start.ts');
} else {
  process.stderr.write(
    `Stemma needs Node 22.18 or newer, which runs TypeScript. This is Node ${process.versions.node}.
Start it with "npm start", which uses Node 24 from node_modules after "npm ci".
`,
  );
  process.exitCode = 1;
}
