import { expect, test } from 'vitest';
import { overlayPaths } from '../../../src/lib/tree/paths.ts';
import type { HeadRow } from '../../../src/lib/tree/rows.ts';
import { pathLookup } from './whole-tree.ts';

const row = (pageId: string, parentId: string | null, position = 0): HeadRow => ({
  pageId,
  parentId,
  position,
  path: pageId,
  title: pageId,
  kind: 'document',
  hidden: false,
  documentHash: null,
  nodeHash: `hash of ${pageId}`,
});

const step = (pageId: string, position = 0) => ({ pageId, nodeHash: `hash of ${pageId}`, position });

const base = pathLookup([row('gone', null), row('moved', 'gone', 2), row('link', 'moved')]);

test('returns the path from the top to each page, without absent ones', async () => {
  expect(await base(['link', 'none'])).toEqual(new Map([['link', [step('gone'), step('moved', 2), step('link')]]]));
});

test('an overlay finds changed and unchanged pages', async () => {
  const paths = overlayPaths(base, { upserts: [row('new', null), row('moved', 'new', 1)], deletes: ['gone'] });
  const link = [step('new'), step('moved', 1), step('link')];
  expect(await paths(['link', 'new', 'gone', 'none'])).toEqual(
    new Map([
      ['link', link],
      ['new', [step('new')]],
    ]),
  );
});

test('overlays can be stacked', async () => {
  const first = overlayPaths(base, { upserts: [row('moved', null)], deletes: ['gone'] });
  const second = overlayPaths(first, { upserts: [row('new', 'link')], deletes: [] });
  expect(await second(['new'])).toEqual(new Map([['new', [step('moved'), step('link'), step('new')]]]));
});
