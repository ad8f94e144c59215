import { z } from 'zod';
import { changeKind } from './change-kind.ts';
import { pageRef } from './page-members.ts';

const input = z
  .object({ pageId: pageRef.describe('The page; everything below it goes too.') })
  .meta({ inputName: 'DeletePageInput', description: 'The removal of a page. Revisions before keep it.' });

export const deletePage = changeKind({
  input,
  async apply({ tree, refs }, { pageId: given }) {
    const pageId = refs.idOf(given);
    await tree.deletePage(pageId);
    return [{ action: 'deleted', what: 'page', target: pageId }];
  },
});
