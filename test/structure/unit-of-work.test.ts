import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');

/** Commands that update rows by a statement of their own, and why none of them edits one resource that exists. */
const BY_STATEMENT: Record<string, string> = {
  'content/agent-instructions/update-agent-instructions.ts': 'the row may not exist yet',
  'content/change-requests/create-change-request.ts': 'takes the next number of the space',
  'insight/conversations/ingest-conversations.ts': 'replaces many',
  'people/invites/delete-invite.ts': 'expires the invitation if it was just sent, and deletes it otherwise',
  'people/invites/invite-members.ts': 'renews many',
  'people/members/remove-member.ts': 'changes the groups of the member',
  'people/users/verify-email.ts': 'uses up a secret that works once',
  'places/collections/delete-collection.ts': 'counts a move of all items of the collection',
  'places/link-invites/join-with-link-invite.ts': 'counts the uses of the link, and raises a role unless it is higher',
  'publishing/audiences/update-site-adaptive-schema.ts': 'the row may not exist yet',
  'publishing/sites/delete-site.ts': 'removes the site from organizations that show it by default',
  'review/merges/merge-change-request.ts': 'writes content',
  'review/reviews/submit-review.ts': 'the row may not exist yet',
  'sources/git/connections/delete-git-connection.ts': 'cancels all runs of the connection',
  'sources/translations/exchange/import-translation-memory.ts': 'replaces many',
  'sources/translations/providers/set-translation-provider.ts': 'the row may not exist yet',
  'sources/translations/glossary/update-glossary-entries.ts': 'replaces many',
};

/** An update by the query builder, or in SQL. */
const UPDATES = /\.updateTable\(|doUpdateSet|do update set|\bupdate "?\w+"?(?: as)?(?: \w+)? set\b/;

const commands = globSync('src/domain/**/*.ts', { cwd: ROOT })
  .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))
  .filter(({ text }) => /= command\(\{/.test(text));

test('commands that edit one resource write it as an entity', () => {
  expect(commands.length).toBeGreaterThan(140);
  const byStatement = commands.filter(({ text }) => UPDATES.test(text));
  expect(byStatement.map(({ path }) => path.replace('src/domain/', '')).sort()).toEqual(
    Object.keys(BY_STATEMENT).sort(),
  );
});
