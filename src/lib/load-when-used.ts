import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/**
 * A package that is loaded at its first use, for packages with large tables that few requests need: their source would
 * fill the heap of every process. `import` cannot load inside a function that returns no promise. The result is what
 * `require` returns for the package.
 */
export function loadWhenUsed<Exports>(name: string): () => Exports {
  let loaded: Exports | undefined;
  return () => {
    loaded ??= require(name) as Exports; // the caller names the type of the package
    return loaded;
  };
}
