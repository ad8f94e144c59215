import { expect, test } from 'vitest';
import { world } from '../../world.ts';
import { translating } from './arrange.ts';

const service = await world();
const { admin } = service;
const { makeSpace, create, work, page } = translating(service);

test('links to anchors lead to the same headings in the translation, whose titles are others', async () => {
  const source = await makeSpace({
    Guide:
      '## Tips & Tricks\n\nSee [here](#tips--tricks), [there](other.md#loop迴圈) and [it](other.md#loop-hui-quan).',
    Other: '## Loop（迴圈）\n\nText.',
  });
  const { translationId, translatedId } = await create(source.spaceId);
  expect(await work(translationId)).toMatchObject({ status: 'completed' });
  const { markdown } = await page(translatedId, source.pageIds.Guide ?? '');
  expect(markdown.match(/\([^()]*#[^()]*\)/g)).toEqual([
    '(#tips-and-tricks)',
    '(other.md#loop-hui-quan)',
    '(other.md#loop-hui-quan)',
  ]);
  const { body } = await admin.get(`/v1/spaces/${translatedId}/links`);
  expect(body.items.map(({ status }: { status: string }) => status)).toEqual(['ok', 'ok', 'ok']);
});
