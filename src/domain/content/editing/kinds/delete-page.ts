import { z } from 'zod';
import { changeKind } from '../edit-state/change-kind.ts';
import { pageRef } from '../page-members.ts';

const input = z.object({ pageId: pageRef.describe('ID of the page. Its descendants are deleted too.') }).meta({
  inputName: 'DeletePageInput',
  description: 'Deletes a page and its descendants. Earlier revisions keep them.',
});

export const deletePage = changeKind({
  input,
  async apply({ tree, refs }, { pageId: idOrRef }) {
    const pageId = refs.idOf(idOrRef);
    await tree.deletePage(pageId);
    return [{ action: 'deleted', what: 'page', target: pageId }];
  },
});
