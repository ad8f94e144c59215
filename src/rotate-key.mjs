import { withTypeScript } from './with-typescript.mjs';

await withTypeScript('npm run rotate-key', () => import('./programs/rotate-key.ts'));
