import { withTypeScript } from './with-typescript.mjs';

await withTypeScript('npm run confirm-email', () => import('./programs/confirm-email.ts'));
