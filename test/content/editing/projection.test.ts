import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toHex } from '../../../src/domain/store/revisions/index.ts';
import { nodeSource } from '../../../src/domain/store/trees/index.ts';
import { lawRuns } from '../../how-thorough.ts';
import { projectTree } from '../../lib/tree/whole-tree.ts';
import { world } from '../../world.ts';

const { admin, organizationId, app } = await world();
const { db } = app.services;

/** An edit with pages named by their place in a list of those that exist; places wrap around. */
const anEdit = fc.oneof(
  fc.record({
    kind: fc.constant('insert' as const),
    title: fc.constantFrom('A', 'B', 'C'),
    parent: fc.nat(12),
    at: fc.nat(4),
  }),
  fc.record({ kind: fc.constant('rename' as const), page: fc.nat(12), slug: fc.constantFrom('x', 'y', 'z') }),
  fc.record({ kind: fc.constant('write' as const), page: fc.nat(12), markdown: fc.constantFrom('One.', 'Two.') }),
  fc.record({ kind: fc.constant('move' as const), page: fc.nat(12), parent: fc.nat(12), at: fc.nat(4) }),
  fc.record({ kind: fc.constant('delete' as const), page: fc.nat(12) }),
);

type Edit = typeof anEdit extends fc.Arbitrary<infer Value> ? Value : never;

const change = (edit: Edit, ids: (string | null)[]) => {
  const id = (place: number) => ids[place % ids.length] ?? null;
  if (edit.kind === 'insert')
    return { insertPage: { title: edit.title, parentId: id(edit.parent), position: { at: edit.at } } };
  const pageId = id(edit.page);
  if (pageId === null) return undefined;
  if (edit.kind === 'rename') return { updatePage: { pageId, slug: edit.slug } };
  if (edit.kind === 'write') return { updatePage: { pageId, document: { markdown: edit.markdown } } };
  if (edit.kind === 'delete') return { deletePage: { pageId } };
  return { movePage: { pageId, parentId: id(edit.parent), position: { at: edit.at } } };
};

test('after any edits, the projection of the head equals its tree', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(anEdit, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 8 }),
      async (rounds) => {
        const { space } = await admin.mutate('createSpace', { organizationId, title: 'Law' }, 'space { id }');
        for (const round of rounds) {
          const rows = await db
            .selectFrom('head_page')
            .where('spaceId', '=', space.id)
            .select('pageId')
            .orderBy('pageId')
            .execute();
          const ids = [null, ...rows.map(({ pageId }) => pageId)];
          const changes = round.flatMap((edit) => change(edit, ids) ?? []);
          // Some are refused (a page below itself, a page deleted before): then nothing may have happened.
          if (changes.length > 0)
            await admin.mutate('updateSpaceContent', { spaceId: space.id, changes }, 'revision { id }').catch(() => {});
        }
        const head = await db
          .selectFrom('space')
          .innerJoin('revision', 'revision.id', 'space.revisionId')
          .where('space.id', '=', space.id)
          .select(['rootHash'])
          .executeTakeFirstOrThrow();
        const expected = await projectTree(toHex(head.rootHash), nodeSource(db, organizationId));
        const actual = await db.selectFrom('head_page').where('spaceId', '=', space.id).selectAll().execute();
        const shown = actual.map((row) => ({
          pageId: row.pageId,
          parentId: row.parentId,
          position: row.position,
          path: row.path,
          title: row.title,
          kind: row.kind,
          hidden: row.isHidden,
          documentHash: row.documentHash && toHex(row.documentHash),
          nodeHash: toHex(row.nodeHash),
        }));
        const byId = (a: { pageId: string }, b: { pageId: string }) => (a.pageId < b.pageId ? -1 : 1);
        expect(shown.toSorted(byId)).toEqual(expected.toSorted(byId));
      },
    ),
    { numRuns: lawRuns(12) },
  );
}, 120_000);
