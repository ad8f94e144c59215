import module from 'node:module';
import { join } from 'node:path';
import { programUrl } from './bundle.mjs';
import { withTypeScript } from './with-typescript.mjs';

await withTypeScript('npm start', async () => {
  // Compiled modules are kept beside the packages, so that the next start takes half the time. Where that folder cannot be
  // written, every start compiles them.
  process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '..', 'node_modules', '.cache', 'stemma');
  module.enableCompileCache(process.env.NODE_COMPILE_CACHE);
  await import(programUrl('main'));
  module.flushCompileCache();
});
