import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Operation } from '../../src/platform/operation/operation.ts';

/** An operation as the code declares it. */
export interface FoundOperation {
  /** Inside `src`. */
  file: string;
  exportedAs: string;
  operation: Operation;
}

const SRC = join(import.meta.dirname, '..', '..', 'src');

/** Every operation of every module, whether or not a transport offers it. Found by reading the files of the modules. */
export async function findOperations(): Promise<FoundOperation[]> {
  const found = globSync('domain/**/*.ts', { cwd: SRC })
    .sort()
    .map(async (file) => {
      const names = readFileSync(join(SRC, file), 'utf8').matchAll(/^export const (\w+) = (?:command|query)\b/gm);
      return Promise.all(
        [...names].map(async ([, exportedAs = '']) => {
          const module: Record<string, unknown> = await import(join(SRC, file));
          return { file, exportedAs, operation: module[exportedAs] as Operation }; // so the line was read
        }),
      );
    });
  return (await Promise.all(found)).flat();
}
