import { expect, test } from 'vitest';
import { withoutPassword } from '../../src/platform/database/wait-for-database.ts';

test.each([
  ['postgresql://stemma:secret@db:5432/stemma', 'postgresql://stemma@db:5432/stemma'],
  ['postgresql://db/stemma?user=stemma&password=secret', 'postgresql://db/stemma?user=stemma'],
  ['postgresql://db/stemma?sslpassword=secret&sslmode=require', 'postgresql://db/stemma?sslmode=require'],
])('%s is shown without its password', (url, shown) => {
  expect(withoutPassword(url)).toBe(shown);
});
