import { withTypeScript } from './with-typescript.mjs';

await withTypeScript('npm run backup -- FILE', () => import('./programs/backup.ts'));
