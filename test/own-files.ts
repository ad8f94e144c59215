/*
 * Takes the place of src/platform/own-files.ts in tests (see bundled-workers.ts), which run from the sources. Workers
 * run from the bundle, as in production, which starts them in a third of the time.
 */

const root = new URL('../', import.meta.url);

/** Returns the address of a file or folder of the service by its path from the root of the repository. */
export const ownFile = (path: string): URL => new URL(path, root);

/** Returns the address of the bundled module that a worker or a process loads, by its path from `src/`. */
export const ownModule = (path: `${string}.ts`): URL =>
  ownFile(`dist/${path.replace(/\.ts$/, '').replaceAll('/', '.')}.mjs`);
