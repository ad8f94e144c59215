import { withTypeScript } from './with-typescript.mjs';

await withTypeScript('npm run documents -- FOLDER', () => import('./programs/documents.ts'));
