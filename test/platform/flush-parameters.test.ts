import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { world } from '../world.ts';

const { admin, organizationId } = await world();

/** The texts of all statements that are sent while `act` runs, and their values. */
async function statementsOf(act: () => Promise<unknown>): Promise<{ text: string; values: unknown[] }[]> {
  const query = vi.spyOn(pg.Client.prototype, 'query');
  await act();
  return query.mock.calls.flatMap(([sent]) => {
    const { text, values = [] } = (typeof sent === 'string' ? { text: sent } : sent) as {
      text?: string;
      values?: unknown[];
    };
    return text === undefined ? [] : [{ text, values }];
  });
}

/**
 * The service replaces the placeholders that the ORM writes, and falls back to values in the text where it does not
 * know them.
 */
test('the unit of work sends the values of a flush as parameters', async () => {
  const { webhook } = await admin.mutate(
    'createWebhook',
    { organizationId, url: 'https://receiver.example/1', kinds: ['SPACE_DELETED'] },
    'webhook { id }',
  );
  const title = 'A title with "quotes", \\ and ?';
  const statements = await statementsOf(async () => {
    await admin.mutate('updateOrganization', { organizationId, title }, 'organization { id }');
    const change = { webhookId: webhook.id, url: 'https://receiver.example/sentinel' };
    await admin.mutate('updateWebhook', change, 'webhook { id }');
  });
  const updates = statements.filter(({ text }) => /^update "?(organization|webhook)"?/i.test(text));
  expect(updates.length).toBeGreaterThanOrEqual(2);
  const values = updates.flatMap((update) => update.values);
  expect(values).toEqual(expect.arrayContaining([title, 'https://receiver.example/sentinel']));
  const texts = statements.map(({ text }) => text).join('\n');
  expect(texts).not.toMatch(/quotes|sentinel/);
  expect(updates.map(({ text }) => text).join('\n')).not.toMatch(/'|\btrue\b/);
});
