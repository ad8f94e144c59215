import { withTypeScript } from './with-typescript.mjs';

await withTypeScript('npm run confirm-email -- --email ADDRESS', () => import('./programs/confirm-email.ts'));
