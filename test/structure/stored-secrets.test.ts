import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { storedSecrets } from '../../src/stored-secrets.ts';
import { administer, makeDatabase } from '../database.ts';

const SRC = join(import.meta.dirname, '..', '..', 'src');
const sources = globSync('**/*.ts', { cwd: SRC }).map((path) => ({
  path,
  text: readFileSync(join(SRC, path), 'utf8'),
}));

const guide = readFileSync(join(SRC, '..', 'docs', 'operation.md'), 'utf8').toLowerCase();

const listed = storedSecrets.map(({ table, column }) => `${table}.${column}`);

/** Binary columns that hold no secret. Hashes are left out, whose columns are named so. */
const NO_SECRETS: Readonly<Record<string, string>> = {
  'git_file.sketch': 'Sketch of the lines of a file.',
  'page_node.children': 'Hashes.',
  'passkey.credential_id': 'A name, which the authenticator gives.',
  'passkey.public_key': 'Public.',
  'secret_key.salt': 'Salt of the fingerprints.',
  'secret_key.fingerprint': 'Derived by scrypt.',
  'secret_key.previous_fingerprint': 'Derived by scrypt.',
  'translation_memory.key': 'Hash of a segment and of what its translation depends on.',
};

/** The columns of a migrated database, by their names with their types. */
async function readColumns(): Promise<Map<string, string>> {
  const database = await makeDatabase();
  const rows = await administer(
    database.url,
    `select table_name || '.' || column_name as name, udt_name as type from information_schema.columns where table_schema = 'public'`,
  );
  await database.drop();
  return new Map(rows.map(({ name, type }) => [String(name), String(type)]));
}

const columns = await readColumns();

test('every binary column holds secrets that are listed, hashes, or something that is no secret', () => {
  const binary = [...columns].filter(([, type]) => /^_?bytea$/.test(type)).map(([name]) => name);
  const others = binary.filter((name) => !/hash(es)?$/.test(name) && !(name in NO_SECRETS));
  expect(others.sort()).toEqual([...listed].sort());
  for (const name of Object.keys(NO_SECRETS)) expect(binary).toContain(name);
});

test('every declared secret is listed, and secrets are only encrypted as declared', () => {
  const declarations = sources.flatMap(({ path, text }) =>
    path === 'platform/secret-key/stored-secret.ts' ? [] : [...text.matchAll(/\bstoredSecret\(/g)],
  );
  expect(declarations).toHaveLength(listed.length);
  expect(new Set(listed).size).toBe(listed.length);
  const users = sources.filter(({ text }) => /\b(?:en|de)cryptSecret\b/.test(text)).map(({ path }) => path);
  expect(users.filter((path) => !path.startsWith('platform/')).sort()).toEqual([]);
});

test('the names of the key are columns of the table', () => {
  const names = storedSecrets.flatMap(({ table, key }) => Object.values(key).map((name) => `${table}.${name}`));
  expect(names.filter((name) => !columns.has(name))).toEqual([]);
});

test('the secret key is only used through functions that know both keys', () => {
  const users = sources.filter(({ text }) => /\bsecretKeys\.current\b/.test(text)).map(({ path }) => path);
  expect(users).toEqual(['domain/publishing/audiences/token-key.ts']);
});

test('the guide for operators names all secrets', () => {
  const missing = storedSecrets.map(({ plural }) => plural).filter((plural) => !guide.includes(plural.toLowerCase()));
  expect(missing).toEqual([]);
});
