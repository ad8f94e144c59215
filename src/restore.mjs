import { withTypeScript } from './with-typescript.mjs';

await withTypeScript('npm run restore -- FILE', () => import('./programs/restore.ts'));
