import { globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { manifestOf } from '../platform/graphql/request/manifest.ts';
import { documentErrors } from '../platform/graphql/request/trusted-documents.ts';
import { schema } from '../schema.ts';

/** `npm run documents -- FOLDER [FILE]`: writes the manifest of the documents in a folder, for `TRUSTED_DOCUMENTS`. */
async function writeManifest(folder: string, file: string): Promise<string> {
  const paths = globSync('**/*.{graphql,gql}', { cwd: folder }).sort();
  if (paths.length === 0) throw new Error(`${folder} contains no *.graphql or *.gql files.`);
  const sources = await Promise.all(
    paths.map(async (path) => ({ path, text: await readFile(join(folder, path), 'utf8') })),
  );
  const entries = manifestOf(sources);
  const errors = entries.flatMap(({ path, text }) =>
    documentErrors(text, schema).map((message) => `${path}: ${message}`),
  );
  if (errors.length > 0) throw new Error(errors.join('\n'));
  await writeFile(file, `${JSON.stringify(Object.fromEntries(entries.map(({ id, text }) => [id, text])), null, 2)}\n`);
  const lines = entries.map(({ id, path, operations }) => `${id}  ${path}: ${operations.join(', ')}`);
  return [...lines, `${file} has ${entries.length} documents.`].join('\n');
}

const [folder, file = 'documents.json'] = process.argv.slice(2);
if (folder === undefined) {
  process.stderr.write('Missing folder. Usage: npm run documents -- FOLDER [FILE]\n');
  process.exitCode = 1;
} else {
  try {
    process.stdout.write(`${await writeManifest(folder, file)}\n`);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
