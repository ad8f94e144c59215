import { queryObjects } from 'node:v8';
import { expect, test } from 'vitest';
import { followUses } from '../../../src/domain/content/visibility/follow-uses.ts';
import type { RevisionRow } from '../../../src/domain/store/revisions/index.ts';
import type { Use } from '../../../src/lib/document/uses.ts';
import type { Context } from '../../../src/platform/context/context.ts';

const PAGES = 50;
const CONTENTS = 100;

const contentOf = (id: string): Use => ({ kind: 'reusable-content', id });

/** What a reusable content uses. Its instances that are in memory can be counted. */
class Uses extends Array<Use> {}

/** One content uses all others. Notes how many instances of `Uses` are in memory when it is found for the last page. */
class Contents extends Map<string, Uses> {
  kept = 0;
  #found = 0;

  override get(id: string): Uses {
    if (id !== 'outer') return new Uses();
    this.#found += 1;
    if (this.#found === PAGES) this.kept = queryObjects(Uses, { format: 'count' });
    return Uses.from(Array.from({ length: CONTENTS }, (_, i) => contentOf(`inner-${i}`)));
  }
}

test('what contents use is not kept for each page with other variables', async () => {
  const contents = new Contents();
  const pages = Array.from({ length: PAGES }, (_, v) => ({ uses: [contentOf('outer')], variables: { v } }));
  const revision = { spaceId: 'space' } as RevisionRow; // nothing else is read of it without conditions
  const ids = await followUses({} as Context, 'space', [{ revision, pages, contents }]);
  expect(ids['reusable-content'].size).toBe(1 + CONTENTS);
  expect(contents.kept).toBeLessThan(5 * CONTENTS);
});
