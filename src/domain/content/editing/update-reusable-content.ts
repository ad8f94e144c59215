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
    const { documentHash: before, ...content } = await reusableContentIn(edit, reusableContentId, path);
    const written = body && (await edit.write(body.isMarkdown ? await edit.bodyAt(before) : undefined, body));
    const documentHash = written === undefined ? before : written;
    edit.reusableContents.put({
      ...content,
      ...(title !== undefined && { title }),
      ...(documentHash && { documentHash }),
    });
    return [{ action: 'updated', what: 'reusable-content', target: content.id }];
  },
});
