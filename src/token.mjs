import { withTypeScript } from './with-typescript.mjs';

await withTypeScript('npm run token -- --email ADDRESS', () => import('./programs/token.ts'));
