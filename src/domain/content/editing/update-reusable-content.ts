import { z } from 'zod';
import { documentInput, type ReadBody } from '../../store/bodies/index.ts';
import { changeKind } from './change-kind.ts';
import { reusableContentIn, reusableContentRef, reusableContentTitle } from './reusable-content-members.ts';

const input = z
  .strictObject({
    reusableContentId: reusableContentRef.describe('ID of the reusable content, or the `ref` of an earlier change.'),
    title: reusableContentTitle.optional(),
    document: documentInput.nullish(),
  })
  .meta({
    inputName: 'UpdateReusableContentInput',
    description: 'Updates a reusable content on all pages that embed it. Omitted fields keep their values.',
  });

export const updateReusableContent = changeKind<typeof input, ReadBody | undefined>({
  input,
  prepare: (preparation, { document }, path) => preparation.readBody(document, path),
  async apply(edit, { reusableContentId, title }, body, path) {
    const { documentHash, sourceHash, ...content } = await reusableContentIn(edit, reusableContentId, path);
    const before = { ...(documentHash && { documentHash }), ...(sourceHash && { sourceHash }) };
    const written = body && (await edit.writeText(before, body));
    const after = {
      documentHash: written ? written.documentHash : documentHash,
      sourceHash: written?.sourceHash === undefined ? sourceHash : written.sourceHash,
    };
    edit.reusableContents.put({
      ...content,
      ...(title !== undefined && { title }),
      ...(after.documentHash && { documentHash: after.documentHash }),
      ...(after.documentHash && after.sourceHash && { sourceHash: after.sourceHash }),
    });
    return [{ action: 'updated', what: 'reusable-content', target: content.id }];
  },
});
