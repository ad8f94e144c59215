import { z } from 'zod';
import { badInput } from '../../../../platform/errors/errors.ts';
import { documentInput } from '../../../store/bodies/index.ts';
import type { ValidatedBody } from '../../../store/prepared-bodies/index.ts';
import { changeKind } from '../edit-state/change-kind.ts';
import { newRef } from '../page-members.ts';
import { computedContent, reusableContentTitle } from '../reusable-content-members.ts';

const input = z
  .strictObject({
    title: reusableContentTitle,
    document: documentInput.nullish(),
    computed: computedContent,
    ref: newRef('reusable content'),
  })
  .meta({
    inputName: 'InsertReusableContentInput',
    description: 'Inserts a reusable content that pages can embed.',
  });

interface Ready {
  id: string;
  body: ValidatedBody | undefined;
}

export const insertReusableContent = changeKind<typeof input, Ready>({
  input,
  async prepare(preparation, { ref, document, computed }, path) {
    if (computed && document)
      throw badInput([...path, 'document'], 'cannot be set together with `computed`.', 'ONE_OF');
    const id = preparation.refs.create('reusable', ref, path);
    return { id, body: await preparation.readBody(document, path) };
  },
  async apply(edit, { title, ref, computed }, { id, body }) {
    const { documentHash, sourceHash } = body ? await edit.writeText(undefined, body) : {};
    edit.reusableContents.put({
      id,
      title,
      ...(documentHash && { documentHash }),
      ...(sourceHash && { sourceHash }),
      ...(computed && { computed }),
    });
    return [{ action: 'created', what: 'reusable-content', target: id, ...(ref != null ? { ref } : {}) }];
  },
});
