import { expect, test } from 'vitest';
import { newId } from '../../../src/platform/ids/ids.ts';
import { world } from '../../world.ts';
import { arrangeIn } from './arrange.ts';

const site = await world();
const { app, commenter, reader } = site;
const arranged = await arrangeIn(site);
const { path } = arranged;

const filled = (unit: string, length = 50_000) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length);

test.each([
  ['brackets', filled('[')],
  ['links without end', filled('[a](')],
  ['emphasis without end', filled('*a_ ')],
  ['quotations in quotations', filled('>')],
  ['lists in lists', filled('- + ')],
  ['elements in elements', `${'<div>'.repeat(4_500)}${'</div>'.repeat(4_500)}`],
  ['a long table', `|a|b|\n|-|-|\n${filled('|x|y|\n', 3_000)}`],
  ['a wide table', ['|a', '|-', '|x'].map((cell) => `${cell.repeat(2_000)}|`).join('\n')],
  ['tags without end', filled('{% hint %}\n')],
  ['a footnote used often', `[^1]: ${'a'.repeat(20_000)}\n\n${'[^1]\n\n'.repeat(1_000)}`],
  ['scripts', filled('<script>alert(1)</script> ')],
])(
  '%s are kept or refused, and read back in both forms',
  async (_what, markdown) => {
    const { status, body } = await commenter.post(`${path}/comments`, { body: { markdown } });
    expect([200, 400]).toContain(status);
    if (status === 400) return expect(body.error.message).toMatch(/^body/);
    const at = `${path}/comments/${body.id}`;
    const [asText, asDocument] = [await reader.get(at), await reader.get(`${at}?format=document`)];
    expect([asText.status, asDocument.status]).toEqual([200, 200]);
    // A body that was read can be written back unchanged.
    const again = await commenter.put(at, { body: { document: asDocument.body.body.document } });
    if (again.status === 200) expect(again.body.body).toEqual(asText.body.body);
    else expect([again.status, again.body.error.message]).toEqual([400, expect.stringMatching(/^body/)]);
  },
  60_000,
);

test('refuses documents too large for one response, but not their Markdown', async () => {
  const { db } = app.services;
  const { id } = await arranged.comment(commenter, 'Small');
  const row = await db.selectFrom('comment').where('id', '=', id).selectAll().executeTakeFirstOrThrow();
  const body = JSON.stringify({ object: 'document', data: {}, nodes: [], padding: 'x'.repeat(4_000_000) });
  const rows = Array.from({ length: 6 }, () => ({ ...row, id: newId('comment'), body }));
  await db.insertInto('comment').values(rows).execute();
  const refused = await reader.get(`${path}/comments?format=document&limit=7`);
  expect([refused.status, refused.body.error.message]).toEqual([400, expect.stringContaining('Request fewer')]);
  expect((await reader.get(`${path}/comments?format=document&limit=4`)).status).toBe(200);
  expect((await reader.get(`${path}/comments?limit=7`)).status).toBe(200);
});
