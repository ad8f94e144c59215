import { describe, expect, test } from 'vitest';
import type { Conflict, Resolution } from '../../../src/lib/merge/conflict.ts';
import { mergeVersions } from '../../../src/lib/merge/merge-versions.ts';
import { openTree, type TreeEditor } from '../../../src/lib/tree/edit.ts';
import type { ModelPage } from '../tree/model.ts';
import { author } from '../tree/scripts.ts';
import { makeContentStore, mergeWith, onlyPages, treeOf } from './merging.ts';

/** A base and two sides made by edits. */
async function story(
  base: (tree: TreeEditor) => Promise<void>,
  ours: (tree: TreeEditor) => Promise<unknown>,
  theirs: (tree: TreeEditor) => Promise<unknown>,
) {
  const store = makeContentStore();
  const written = async (from: string | null, edit: (tree: TreeEditor) => Promise<unknown>): Promise<string> => {
    const tree = await openTree(from, store.nodes.source);
    await edit(tree);
    const { rootHash, newNodes } = tree.commit(author);
    store.nodes.add(newNodes);
    return rootHash;
  };
  const root = await written(null, base);
  const versions = {
    base: onlyPages(root),
    ours: onlyPages(await written(root, ours)),
    theirs: onlyPages(await written(root, theirs)),
  };
  return {
    store,
    versions,
    merge: () => mergeVersions(versions, store.sources),
    async conflicts(): Promise<Conflict[]> {
      const outcome = await mergeVersions(versions, store.sources);
      return 'conflicts' in outcome ? outcome.conflicts : [];
    },
    /** The merged tree as text, with conflicts resolved by `choose`. */
    async result(choose: (conflict: Conflict) => Resolution = unexpected): Promise<string> {
      const { content } = await mergeWith(store, versions, choose);
      return outline((await treeOf(store, content.rootHash)).pages);
    },
  };
}

const unexpected = (conflict: Conflict): never => {
  throw new Error(`Unexpected: ${JSON.stringify(conflict)}`);
};

/** `a(b c) d`: ids of pages, children in parentheses. */
const outline = (pages: ModelPage[]): string =>
  pages.map(({ pageId, pages: below }) => pageId + (below.length > 0 ? `(${outline(below)})` : '')).join(' ');

const page = (pageId: string, parentId: string | null = null, title = pageId) => ({
  kind: 'document' as const,
  pageId,
  fields: { title },
  parentId,
});

/** Pages by their outline: `a(b c) d`. */
const pages = (text: string) => async (tree: TreeEditor) => {
  const above: (string | null)[] = [null];
  let last = '';
  for (const [token] of text.matchAll(/\w+|[()]/g)) {
    if (token === '(') above.push(last);
    else if (token === ')') above.pop();
    else await tree.insertPage(page(token, above.at(-1)));
    last = /\w/.test(token) ? token : last;
  }
};

const choose = (choice: 'ours' | 'theirs' | 'base') => (): Resolution => ({ choice });

describe('places', () => {
  test('main comes first where both insert at one place', async () => {
    const { result } = await story(
      pages('a b'),
      (tree) => tree.insertPage({ ...page('o'), position: { afterId: 'a' } }),
      (tree) => tree.insertPage({ ...page('t'), position: { afterId: 'a' } }),
    );
    expect(await result()).toBe('a t o b');
  });

  test('a page that one side moves and the other edits is moved and edited', async () => {
    const { result, store, merge } = await story(
      pages('a(b) c'),
      (tree) => tree.movePage('b', 'c'),
      (tree) => tree.updatePage('b', { title: 'B!' }),
    );
    expect(await result()).toBe('a c(b)');
    const outcome = await merge();
    if ('merged' in outcome) store.keep(outcome.merged);
    expect(JSON.stringify([...store.nodes.nodes.values()])).toContain('B!');
  });

  test('reordering by both sides is combined', async () => {
    const { result } = await story(
      pages('a b c d e'),
      (tree) => tree.movePage('a', null),
      (tree) => tree.movePage('d', null, { beforeId: 'a' }),
    );
    expect(await result()).toBe('d b c e a');
  });

  test('moving a page to different parents is a conflict of its parent', async () => {
    const { conflicts, result } = await story(
      pages('a b c'),
      (tree) => tree.movePage('c', 'a'),
      (tree) => tree.movePage('c', 'b'),
    );
    expect(await conflicts()).toMatchObject([
      {
        kind: 'field',
        field: 'parent',
        target: { type: 'page', id: 'c' },
        base: { value: null },
        ours: { value: 'a' },
        theirs: { value: 'b' },
      },
    ]);
    expect(await result(choose('ours'))).toBe('a(c) b');
    expect(await result(choose('theirs'))).toBe('a b(c)');
    expect(await result(choose('base'))).toBe('a b c');
  });

  test('moves that would make a cycle are a conflict, however long it is', async () => {
    const { conflicts, result } = await story(
      pages('a b c'),
      async (tree) => {
        await tree.movePage('a', 'b');
        await tree.movePage('b', 'c');
      },
      (tree) => tree.movePage('c', 'a'),
    );
    expect(await conflicts()).toMatchObject([{ kind: 'cycle', pages: ['a', 'b', 'c'] }]);
    expect(await result(choose('ours'))).toBe('c(b(a))');
    expect(await result(choose('theirs'))).toBe('a(c) b');
    expect(await result(choose('base'))).toBe('a b c');
  });

  test('duplicate slugs of siblings get a suffix, and those of the primary content stay', async () => {
    const { result, store, versions } = await story(
      pages('a'),
      (tree) => tree.insertPage(page('o', null, 'News')),
      (tree) => tree.insertPage(page('t', null, 'News')),
    );
    expect(await result()).toBe('a t o');
    const { content } = await mergeWith(store, versions, unexpected);
    const { pages: merged } = await treeOf(store, content.rootHash);
    expect(merged.map(({ fields }) => fields.slug)).toEqual(['a', 'news', 'news-2']);
  });
});

describe('deletions', () => {
  test('of a page that the other side did not change are applied, with its descendants', async () => {
    const { result } = await story(
      pages('a(b(c)) d'),
      (tree) => tree.deletePage('a'),
      (tree) => tree.updatePage('d', { title: 'D!' }),
    );
    expect(await result()).toBe('d');
  });

  test('of a page that the other side edited are a conflict; kept pages move to the nearest ancestor', async () => {
    const { conflicts, result } = await story(
      pages('a(b) d'),
      (tree) => tree.updatePage('b', { title: 'B!' }),
      (tree) => tree.deletePage('a'),
    );
    expect(await conflicts()).toMatchObject([
      { kind: 'deleted-vs-edited', target: { id: 'b' }, ours: { page: { fields: { title: 'B!' } } }, theirs: null },
    ]);
    expect(await result(choose('theirs'))).toBe('d');
    expect(await result(choose('ours'))).toBe('d b');
    expect(await result(choose('base'))).toBe('d b');
  });

  test('of a page under which the other side adds or moves pages are a conflict', async () => {
    const { conflicts, result } = await story(
      pages('a b c'),
      async (tree) => {
        await tree.insertPage(page('o', 'a'));
        await tree.insertPage(page('below', 'o'));
        await tree.movePage('b', 'a');
      },
      (tree) => tree.deletePage('a'),
    );
    expect(await conflicts()).toMatchObject([
      { kind: 'child-under-deleted', target: { id: 'a' }, pages: ['b', 'below', 'o'], theirs: null },
    ]);
    expect(await result(choose('ours'))).toBe('a(o(below) b) c');
    // New pages are deleted with their parent; pages of the primary content stay in place.
    expect(await result(choose('theirs'))).toBe('b c');
    expect(await result(choose('base'))).toBe('a b c');
  });

  test('cycles that have nothing to do with each other are conflicts of their own', async () => {
    const { conflicts, result } = await story(
      pages('a b c d'),
      async (tree) => {
        await tree.movePage('a', 'b');
        await tree.movePage('c', 'd');
      },
      async (tree) => {
        await tree.movePage('b', 'a');
        await tree.movePage('d', 'c');
      },
    );
    expect((await conflicts()).map(({ kind, pages: of }) => [kind, of])).toEqual([
      ['cycle', ['a', 'b']],
      ['cycle', ['c', 'd']],
    ]);
    const mixed = ({ pages: of }: Conflict): Resolution => ({ choice: of.includes('a') ? 'ours' : 'theirs' });
    expect(await result(mixed)).toBe('b(a) c(d)');
  });
});

describe('limits', () => {
  const many = (prefix: string, count: number) => async (tree: TreeEditor) => {
    for (let each = 0; each < count; each++) await tree.insertPage(page(`${prefix}${each}`, 'a'));
  };

  test('a parent with more than a thousand children is a conflict', async () => {
    const { conflicts, result } = await story(
      async (tree) => {
        await pages('a b')(tree);
        await many('x', 400)(tree);
      },
      many('o', 301),
      many('t', 300),
    );
    const [conflict, ...others] = await conflicts();
    expect([conflict?.kind, conflict?.target.id, conflict?.pages.length, others]).toEqual(['limits', 'a', 601, []]);
    const kept = (await result(choose('ours'))).match(/\bo\d+/g);
    expect(kept).toHaveLength(301);
    expect((await result(choose('theirs'))).match(/\bo\d+/g)).toBeNull();
  });

  test('edited pages of a deleted page for which the top level has no room stay a conflict', async () => {
    const { store, versions, conflicts, result } = await story(
      async (tree) => {
        for (let each = 0; each < 999; each++) await tree.insertPage(page(`x${each}`));
        await pages('p(c d)')(tree);
      },
      (tree) => tree.deletePage('p'),
      async (tree) => {
        await tree.updatePage('c', { title: 'Edited' });
        await tree.updatePage('d', { title: 'Edited' });
      },
    );
    const found = await conflicts();
    expect(found.map(({ kind, target }) => [kind, target.id])).toEqual([
      ['deleted-vs-edited', 'c'],
      ['deleted-vs-edited', 'd'],
      ['limits', null],
    ]);
    expect(await result(choose('ours'))).not.toMatch(/\b[cdp]\b/);
    const kept = new Map(found.map(({ id }): [string, Resolution] => [id, { choice: 'theirs' }]));
    const limits = found.at(-1)?.id;
    expect(await mergeVersions(versions, store.sources, kept)).toMatchObject({
      conflicts: [{ id: limits }],
      unfit: [limits],
    });
  });

  test('a tree deeper than 32 levels is a conflict, also where only one side knows what is below', async () => {
    const chain = (prefix: string, count: number) => async (tree: TreeEditor) => {
      for (let each = 0; each < count; each++) {
        await tree.insertPage(page(`${prefix}${each}`, each === 0 ? null : `${prefix}${each - 1}`));
      }
    };
    const { conflicts, result } = await story(
      async (tree) => {
        await chain('x', 12)(tree);
        await chain('y', 12)(tree);
        await chain('z', 12)(tree);
      },
      (tree) => tree.movePage('y0', 'x11'),
      (tree) => tree.movePage('z0', 'y11'),
    );
    expect(await conflicts()).toMatchObject([{ kind: 'limits', target: { type: 'page' } }]);
    expect(await result(choose('ours'))).toMatch(/^x0\(.*y0.*\) z0\(/);
    expect(await result(choose('theirs'))).toMatch(/^x0\(.*\) y0\(.*z0/);
  });
});

describe('fields', () => {
  test('of one page do not conflict when they are different ones, members of variables and layout too', async () => {
    const { store, versions } = await story(
      (tree) =>
        tree
          .insertPage({ ...page('a'), fields: { title: 'A', variables: { x: 1, y: 1 }, layout: { cover: true } } })
          .then(() => undefined),
      (tree) => tree.updatePage('a', { title: 'A!', variables: { x: 2, y: 1 }, layout: { cover: false } }),
      (tree) => tree.updatePage('a', { description: 'D', variables: { x: 1, y: 1, z: 3 } }),
    );
    const { content } = await mergeWith(store, versions, unexpected);
    const { pages: merged } = await treeOf(store, content.rootHash);
    expect(merged[0]?.fields).toEqual({
      title: 'A!',
      slug: 'a',
      description: 'D',
      variables: { x: 2, y: 1, z: 3 },
      layout: { cover: false },
    });
  });

  test('changed differently conflict, and can be resolved by a text', async () => {
    const { conflicts, store, versions } = await story(
      pages('a'),
      (tree) => tree.updatePage('a', { title: 'Ours', emoji: '1f600' }),
      (tree) => tree.updatePage('a', { title: 'Theirs', emoji: '1f600' }),
    );
    const [conflict] = await conflicts();
    expect(conflict).toMatchObject({ kind: 'field', field: 'title', base: { value: 'a' }, ours: { value: 'Ours' } });
    const { content } = await mergeWith(store, versions, () => ({ text: 'Both' }));
    expect((await treeOf(store, content.rootHash)).pages[0]?.fields).toMatchObject({ title: 'Both', emoji: '1f600' });
  });
});

describe('resolutions', () => {
  const both = () =>
    story(
      pages('a b'),
      async (tree) => {
        await tree.updatePage('a', { title: 'Ours' });
        await tree.updatePage('b', { title: 'Ours' });
      },
      async (tree) => {
        await tree.updatePage('a', { title: 'Theirs' });
        await tree.updatePage('b', { title: 'Theirs' });
      },
    );

  test('that are missing leave conflicts open, and nothing is merged', async () => {
    const { conflicts, versions, store } = await both();
    const [first, second] = await conflicts();
    const outcome = await mergeVersions(versions, store.sources, new Map([[first?.id ?? '', { choice: 'ours' }]]));
    expect(outcome).toMatchObject({ conflicts: [{ id: second?.id }], unknown: [], unfit: [] });
  });

  test('without a conflict are reported as unknown, and of the wrong kind as unfit', async () => {
    const { conflicts, versions, store } = await both();
    const ids = (await conflicts()).map(({ id }) => id);
    const all = new Map<string, Resolution>(ids.map((id) => [id, { choice: 'ours' }]));
    const unknown = await mergeVersions(
      versions,
      store.sources,
      new Map([...all, ['0'.repeat(32), { choice: 'ours' }]]),
    );
    expect(unknown).toMatchObject({ conflicts: [], unknown: ['0'.repeat(32)] });
    const document = { object: 'document' as const, data: { schemaVersion: 1 }, nodes: [] };
    const unfit = await mergeVersions(versions, store.sources, new Map([...all, [ids[0] ?? '', { document }]]));
    expect(unfit).toMatchObject({ conflicts: [{ id: ids[0] }], unfit: [ids[0]] });
  });

  test('stay known when the resolution of another conflict removes theirs', async () => {
    const { conflicts, versions, store } = await story(
      pages('a b'),
      async (tree) => {
        await tree.movePage('a', 'b');
        await tree.insertPage(page('o', 'a'));
      },
      (tree) => tree.movePage('b', 'a'),
    );
    const shown = await conflicts();
    for (const choice of ['ours', 'theirs', 'base'] as const) {
      const given = new Map<string, Resolution>(shown.map(({ id }) => [id, { choice }]));
      expect(await mergeVersions(versions, store.sources, given)).toHaveProperty('merged');
    }
  });

  test('have ids that only depend on the conflict', async () => {
    const [one, other] = [await (await both()).conflicts(), await (await both()).conflicts()];
    expect(one).toEqual(other);
    expect(new Set(one.map(({ id }) => id)).size).toBe(2);
  });
});
