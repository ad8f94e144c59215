import { expect, test } from 'vitest';
import { nodeHash, type PageTreeNode, type StoredPage } from '../../../src/lib/tree/node.ts';

const page: PageTreeNode = {
  kind: 'document',
  pageId: 'page_1',
  fields: { title: 'Title', slug: 'title' },
  documentHash: 'd1',
  children: ['c1', 'c2'],
};

const others: [string, PageTreeNode][] = [
  ['kind', { ...page, kind: 'group' }],
  ['page id', { ...page, pageId: 'page_2' }],
  ['fields', { ...page, fields: { title: 'Title', slug: 'title', hidden: true } }],
  ['document', { ...page, documentHash: undefined }],
  ['order of children', { ...page, children: ['c2', 'c1'] }],
];

test.each(others)('the hash depends on the %s', (_, other) => {
  expect(nodeHash(other)).not.toBe(nodeHash(page));
});

test('the hash does not depend on times, authors, the order of fields or absent ones', () => {
  const stored: StoredPage = { ...page, createdAt: '1', updatedAt: '2', updatedBy: 'user_1' };
  expect(nodeHash(stored)).toBe(nodeHash(page));
  expect(nodeHash({ ...page, fields: { emoji: undefined, slug: 'title', title: 'Title' } })).toBe(nodeHash(page));
});

test('hashes are stable, since they are stored', () => {
  expect(nodeHash({ kind: 'root', children: [] })).toBe(
    'e78037817c279d35330e9cdbe11e66953b45101260045a007293a36f33c03cfd',
  );
  expect(nodeHash(page)).toBe('961a03be2ffd7e3df5fde84342f87a454e61e1c32f8d1a1a86b84be8075b7fef');
});
