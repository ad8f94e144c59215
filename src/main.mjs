import module from 'node:module';
import { join } from 'node:path';

// Plain JavaScript, so that a version of Node without TypeScript support can run it and print a message. `main.ts` is a
// symbolic link to this file: Node detects the language by the name of the target.
if (process.features.typescript) {
  // Compiled modules are kept beside the packages, so that the next start takes half the time. Where that folder cannot be
  // written, every start compiles them.
  process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '..', 'node_modules', '.cache', 'stemma');
  module.enableCompileCache(process.env.NODE_COMPILE_CACHE);
  await import('./start.ts');
  module.flushCompileCache();
} else {
  process.stderr.write(
    `Stemma needs Node 22.18 or newer, which runs TypeScript. This is Node ${process.versions.node}.
Start it with "npm start", which uses Node 26 from node_modules after "npm ci".
`,
  );
  process.exitCode = 1;
}
