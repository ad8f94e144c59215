import { z } from 'zod';
import { changeKind } from './change-kind.ts';
import { reusableContentIn, reusableContentRef } from './reusable-content-members.ts';

const input = z
  .strictObject({
    reusableContentId: reusableContentRef.describe('The content. Where pages show it, they show nothing then.'),
  })
  .meta({
    inputName: 'DeleteReusableContentInput',
    description: 'The removal of a reusable content, whether or not it is in use. Revisions before keep it.',
  });

export const deleteReusableContent = changeKind({
  input,
  async apply(edit, { reusableContentId }, _ready, path) {
    const { id } = await reusableContentIn(edit, reusableContentId, path);
    edit.reusableContents.remove(id);
    return [{ action: 'deleted', what: 'reusable-content', target: id }];
  },
});
