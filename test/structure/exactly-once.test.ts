import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => ({ path, text: readFileSync(join('src', path), 'utf8') }));

const withText = (pattern: RegExp) => sources.filter(({ text }) => pattern.test(text)).map(({ path }) => path);

test('advisory locks belong to transactions, so that they end with what they guard', () => {
  expect(withText(/pg_advisory_xact_lock/).length).toBeGreaterThan(5);
  expect(withText(/pg_(?:try_)?advisory_(?:lock|unlock)/)).toEqual([]);
});

test('settings of a session are set where it is prepared, and nowhere else', () => {
  expect(withText(/set_config\([^)]*, false\)|\bset session\b|sql`set (?!local)/)).toEqual([
    'platform/database/session.ts',
  ]);
});
