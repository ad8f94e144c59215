/** Whether this module is part of the bundle in `dist/`. */
const isBundled = import.meta.url.endsWith('.mjs');

const root = new URL(isBundled ? '../' : '../../', import.meta.url);

/** Returns the address of a file or folder of the service by its path from the root of the repository. */
export const ownFile = (path: string): URL => new URL(path, root);

/**
 * Returns the address of a module that a worker or a process loads, by its path from `src/`. From the bundle, it is the
 * entry that `build.mjs` has made of the module.
 */
export const ownModule = (path: `${string}.ts`): URL =>
  isBundled ? ownFile(`dist/${path.replace(/\.ts$/, '').replaceAll('/', '.')}.mjs`) : ownFile(`src/${path}`);
