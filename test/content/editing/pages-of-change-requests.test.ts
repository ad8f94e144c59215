import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lawRuns } from '../../how-thorough.ts';
import { world } from '../../world.ts';
import { aSpace, editBy, proposeBy } from './arrange.ts';

const { admin, editor, reader, organizationId } = await world();

interface Shown {
  id: string;
  path?: string;
  pages?: Shown[];
}

const all = (pages: Shown[]): Shown[] => pages.flatMap((page) => [page, ...all(page.pages ?? [])]);

/** An edit of the page at a place in a list, counted around. */
const anEdit = fc.record({
  kind: fc.constantFrom('insert', 'rename', 'move', 'delete'),
  page: fc.nat(20),
  under: fc.nat(20),
  slug: fc.constantFrom('x', 'y', 'z'),
});

const changeOf = (
  { kind, page, under, slug }: typeof anEdit extends fc.Arbitrary<infer Edit> ? Edit : never,
  ids: string[],
) => {
  const [pageId, parentId] = [ids[page % ids.length], ids[under % ids.length]];
  if (kind === 'insert') return { insertPage: { title: slug, parentId } };
  if (kind === 'rename') return { updatePage: { pageId, slug } };
  return kind === 'move' ? { movePage: { pageId, parentId } } : { deletePage: { pageId } };
};

test('every page of a change request is found by id and by path after any edits in it and in the space', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anEdit, { maxLength: 5 }), fc.array(anEdit, { maxLength: 5 }), async (inIt, inSpace) => {
      const { spaceId, pageId } = await aSpace(admin, organizationId);
      const tree = ['a', 'b', 'c', 'd'].map((title, index) => ({
        insertPage: { title, ref: title, parentId: index % 2 === 0 ? pageId : 'abcd'[index - 1] },
      }));
      const ids = [pageId, ...(await editBy(spaceId)(editor, tree)).pageIds];
      const { changeRequest } = await editor.mutate('createChangeRequest', { spaceId }, 'changeRequest { id }');
      // Some are refused, a page below itself say: then that one has not happened.
      for (const edit of inIt) await proposeBy(changeRequest.id)(editor, [changeOf(edit, ids)]).catch(() => {});
      for (const edit of inSpace) await editBy(spaceId)(editor, [changeOf(edit, ids)]).catch(() => {});
      const content = `/v1/spaces/${spaceId}/change-requests/${changeRequest.id}/content`;
      const pages = all((await reader.get(`${content}/pages`)).body.pages);
      for (const expected of pages) {
        const { document: _, ...byId } = (await reader.get(`${content}/page/${expected.id}`)).body;
        expect(byId).toEqual(expected);
        const byPath = await reader.get(`${content}/path/${encodeURIComponent(expected.path ?? '')}`);
        expect(byPath.body.id).toBe(expected.id);
      }
      const known = new Set(pages.map(({ id }) => id));
      for (const id of ids.filter((each) => !known.has(each))) {
        expect((await reader.get(`${content}/page/${id}`)).status).toBe(404);
      }
    }),
    { numRuns: lawRuns(8) },
  );
}, 120_000);
