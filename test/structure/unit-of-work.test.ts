import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');

/** Commands that update rows by a statement of their own, and why none of them edits one resource. */
const BY_STATEMENT: Record<string, string> = {
  'people/users/verify-email.ts': 'uses up a secret that works once',
  'places/collections/delete-collection.ts': 'counts a move of all items of the collection',
  'places/link-invites/join-with-link-invite.ts': 'counts the uses of the link, and raises a role unless it is higher',
  'publishing/sites/delete-site.ts': 'removes the site from organizations that show it by default',
  'publishing/structure/add-site-section.ts': 'moves all spaces at the root',
  'review/merges/merge-change-request.ts': 'writes content',
  'sources/git/connections/delete-git-connection.ts': 'cancels all runs of the connection',
};

const commands = globSync('src/domain/**/*.ts', { cwd: ROOT })
  .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))
  .filter(({ text }) => /= command\(\{/.test(text));

test('commands that edit one resource write it as an entity', () => {
  expect(commands.length).toBeGreaterThan(140);
  const byStatement = commands.filter(({ text }) => text.includes('.updateTable('));
  expect(byStatement.map(({ path }) => path.replace('src/domain/', '')).sort()).toEqual(
    Object.keys(BY_STATEMENT).sort(),
  );
});
