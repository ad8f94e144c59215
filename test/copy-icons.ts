import { copyFile, writeFile } from 'node:fs/promises';
import { FILES, ICONS, iconNames, PACKAGE } from './icons.ts';

/** `npm run icons`: copies what PDFs need of Font Awesome. */
for (const [from, to] of FILES) await copyFile(new URL(from, PACKAGE), new URL(to, ICONS));
await writeFile(new URL('names.json', ICONS), `${JSON.stringify(await iconNames(), null, 2)}\n`);
