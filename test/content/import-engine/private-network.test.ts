import { expect, test } from 'vitest';
import { world } from '../../world.ts';
import { importing, makeSite } from './arrange.ts';

const here = await world();
const { importInto, newSpace } = importing(here);

test('neither crawls nor downloads from private addresses', async () => {
  const site = await makeSite({ '/': '<main><h1>Inside</h1></main>' });
  const spaceId = await newSpace();
  for (const source of ['website', 'html', 'zip']) {
    const { status, body } = await importInto(spaceId, `${site.url}/`, source);
    expect([status, body.error.message]).toEqual([400, expect.stringMatching(/private address/)]);
  }
  expect(site.asked).toEqual([]);
});
