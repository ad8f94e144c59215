import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { entities } from '../../src/entities.ts';
import { storedSecrets } from '../../src/stored-secrets.ts';

const SRC = join(import.meta.dirname, '..', '..', 'src');
const sources = globSync('**/*.ts', { cwd: SRC }).map((path) => ({
  path,
  text: readFileSync(join(SRC, path), 'utf8'),
}));

const guide = readFileSync(join(SRC, '..', 'docs', 'operation.md'), 'utf8').toLowerCase();

const listed = storedSecrets.map(({ table, column }) => `${table}.${column}`);

/** Binary columns that hold no secret. Hashes are left out, whose columns are named so. */
const NO_SECRETS: Readonly<Record<string, string>> = {
  'git_path.sketch': 'Sketch of the lines of a file.',
  'secret_key.salt': 'Salt of the fingerprints.',
  'secret_key.fingerprint': 'Derived by scrypt.',
  'secret_key.previous_fingerprint': 'Derived by scrypt.',
  'tree_node.children': 'Hashes.',
};

test('every binary column holds secrets that are listed, hashes, or something that is no secret', () => {
  const binary = entities.flatMap(({ meta }) =>
    Object.values(meta.properties)
      .filter(({ columnTypes }) => columnTypes?.some((type) => type.startsWith('bytea')))
      .flatMap(({ fieldNames }) => fieldNames.map((name) => `${meta.tableName}.${name}`)),
  );
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
  for (const { table, column, key } of storedSecrets) {
    const columns = entities
      .filter(({ meta }) => meta.tableName === table)
      .flatMap(({ meta }) => Object.values(meta.properties).flatMap(({ fieldNames }) => fieldNames));
    expect(columns).toEqual(expect.arrayContaining([column, ...Object.values(key)]));
  }
});

test('the secret key is only used through functions that know both keys', () => {
  const users = sources.filter(({ text }) => /\bsecretKeys\.current\b/.test(text)).map(({ path }) => path);
  expect(users).toEqual(['domain/publishing/audiences/token-key.ts']);
});

test('the guide for operators names all secrets', () => {
  const missing = storedSecrets.map(({ plural }) => plural).filter((plural) => !guide.includes(plural.toLowerCase()));
  expect(missing).toEqual([]);
});
