import { batchLoader, type Loader } from './loader.ts';
import { type ReadByKey, type SharedReadOptions, sharedRead } from './shared-reads.ts';

/**
 * A loader by key whose statements all requests of the process share (`sharedRead`). For values that do not depend on the
 * caller.
 */
export const sharedLoader = <Value>(name: string, read: ReadByKey<Value>, options?: SharedReadOptions): Loader<Value> =>
  batchLoader(name, sharedRead(read, options));
