import { expect, test } from 'vitest';
import { world } from '../world.ts';
import { arrangeIn } from './arrange.ts';

const site = await world();
const { commenter, reader } = site;
const { path } = await arrangeIn(site);

const LONGEST = 50_000;
const filled = (unit: string) => unit.repeat(Math.ceil(LONGEST / unit.length)).slice(0, LONGEST);

test.each([
  ['brackets', filled('[')],
  ['links without end', filled('[a](')],
  ['emphasis without end', filled('*a_ ')],
  ['quotations in quotations', filled('>')],
  ['lists in lists', filled('- + ')],
  ['elements in elements', `${'<div>'.repeat(4_500)}${'</div>'.repeat(4_500)}`],
  ['a long table', `|a|b|\n|-|-|\n${filled('|x|y|\n').slice(0, -40)}`],
  ['a wide table', ['|a', '|-', '|x'].map((cell) => `${cell.repeat(8_000)}|`).join('\n')],
  ['tags without end', filled('{% hint %}\n')],
  ['a footnote used often', `[^1]: ${'a'.repeat(20_000)}\n\n${'[^1]\n\n'.repeat(4_000)}`],
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
    // What was read once is read the same again.
    const again = await commenter.put(at, { body: { document: asDocument.body.body.document } });
    if (again.status === 200) expect(again.body.body).toEqual(asText.body.body);
    else expect([again.status, again.body.error.message]).toEqual([400, expect.stringMatching(/^body/)]);
  },
  60_000,
);
