import { programUrl } from './bundle.mjs';
import { withTypeScript } from './with-typescript.mjs';

await withTypeScript('npm run worker', () => import(programUrl('worker')));
