import { z } from 'zod';
import type { FieldsPatch } from '../../../../lib/tree/fields.ts';
import { documentInput } from '../../../store/bodies/index.ts';
import type { ValidatedBody } from '../../../store/prepared-bodies/index.ts';
import { changeKind } from '../edit-state/change-kind.ts';
import {
  bodyWithoutTitle,
  mayHaveTitle,
  omitTitle,
  pageFields,
  pageRef,
  pageTitle,
  position,
  withRefs,
} from '../page-members.ts';
import { ONE_TARGET } from '../typed-references.ts';
import { movePageTo } from './move-page.ts';

const input = z
  .object({
    pageId: pageRef.describe('ID of the page, or the `ref` of an earlier change.'),
    title: pageTitle.optional(),
    ...pageFields,
    document: documentInput.nullish(),
    omitTitle,
    parentId: pageRef
      .nullish()
      .describe('ID of the new parent page. Null for the top level. Default: the current parent.'),
    position: position.nullish(),
  })
  .refine(...ONE_TARGET)
  .meta({ inputName: 'UpdatePageInput', description: 'Updates a page. Omitted fields keep their values.' });

export const updatePage = changeKind<typeof input, ValidatedBody | undefined>({
  input,
  async prepare(preparation, { document, pageId, omitTitle: isTitled, title }, path) {
    const titles = async () => [...(title === undefined ? [] : [title]), ...(await preparation.titlesOf(pageId))];
    const body = isTitled && mayHaveTitle(document) ? bodyWithoutTitle(document, await titles()) : document;
    return preparation.readBody(body, path, pageId);
  },
  async apply(
    edit,
    { document: _document, omitTitle: _omitTitle, parentId, position: place, pageId: idOrRef, ...fields },
    body,
  ) {
    const pageId = edit.refs.idOf(idOrRef);
    const hashes = body && (await edit.writePage(pageId, body));
    // The properties of the schema are the fields of the tree; null removes one.
    await edit.tree.updatePage(
      pageId,
      withRefs(fields, edit.refs) as FieldsPatch,
      hashes?.documentHash,
      hashes?.sourceHash,
    );
    if (parentId !== undefined || place != null) await movePageTo(edit, pageId, parentId, place);
    return [{ action: 'updated', what: 'page', target: pageId }];
  },
});
