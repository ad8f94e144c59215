import { withTypeScript } from './with-typescript.mjs';

await withTypeScript('npm run worker', () => import('./programs/worker.ts'));
