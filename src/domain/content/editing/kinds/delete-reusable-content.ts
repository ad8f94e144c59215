import { z } from 'zod';
import { changeKind } from '../edit-state/change-kind.ts';
import { reusableContentIn, reusableContentRef } from '../reusable-content-members.ts';

const input = z
  .strictObject({
    reusableContentId: reusableContentRef.describe(
      'ID of the reusable content. Pages that embed it show nothing in its place.',
    ),
  })
  .meta({
    inputName: 'DeleteReusableContentInput',
    description: 'Deletes a reusable content, even if it is in use. Earlier revisions keep it.',
  });

export const deleteReusableContent = changeKind({
  input,
  async apply(edit, { reusableContentId }, _ready, path) {
    const { id } = await reusableContentIn(edit, reusableContentId, path);
    edit.reusableContents.remove(id);
    return [{ action: 'deleted', what: 'reusable-content', target: id }];
  },
});
