import { z } from 'zod';
import { changeKind } from '../edit-state/change-kind.ts';
import type { ContentEdit } from '../edit-state/content-edit.ts';
import { pageRef, position, positionOf } from '../page-members.ts';

const input = z
  .strictObject({
    pageId: pageRef.describe('ID of the page. Its descendants move with it.'),
    parentId: pageRef
      .nullish()
      .describe('ID of the new parent page. Null for the top level. Default: the current parent.'),
    position: position.nullish(),
  })
  .meta({ inputName: 'MovePageInput', description: 'Moves a page.' });

export const movePage = changeKind({
  input,
  async apply(edit, { pageId: idOrRef, parentId, position: place }) {
    const pageId = edit.refs.idOf(idOrRef);
    await movePageTo(edit, pageId, parentId, place);
    return [{ action: 'moved', what: 'page', target: pageId }];
  },
});

/** Moves a page below a parent. Null is the top level; undefined keeps the present parent. */
export async function movePageTo(
  { tree, refs }: ContentEdit,
  pageId: string,
  parentId: string | null | undefined,
  place: z.output<typeof position> | null | undefined,
): Promise<void> {
  const present = async () => (await tree.locate([pageId])).get(pageId)?.parentId ?? null;
  const parent = parentId === undefined ? await present() : parentId && refs.idOf(parentId);
  await tree.movePage(pageId, parent, positionOf(place, refs).position);
}
