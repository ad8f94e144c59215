import { withTypeScript } from './with-typescript.mjs';

await withTypeScript('npm run doctor', () => import('./programs/doctor.ts'));
