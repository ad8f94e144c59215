import { registerHooks } from 'node:module';

/*
 * Preloaded by the processes that run tests. They load the service from its sources, but with `test/own-files.ts` in
 * the place of `src/platform/own-files.ts`.
 */

const addressOf = (path: string) => new URL(path, import.meta.url).href;
const ofService = addressOf('../src/platform/own-files.ts');
const ofTests = addressOf('own-files.ts');

registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    return resolved.url === ofService ? { ...resolved, url: ofTests } : resolved;
  },
});
