import { z } from 'zod';
import { badInput } from '../../../../platform/errors/errors.ts';
import { documentInput } from '../../../store/bodies/index.ts';
import type { ReusableContentEntry } from '../../../store/manifests/index.ts';
import type { ValidatedBody } from '../../../store/prepared-bodies/index.ts';
import { changeKind } from '../edit-state/change-kind.ts';
import type { ChangePath } from '../edit-state/change-path.ts';
import {
  computedContent,
  reusableContentIn,
  reusableContentRef,
  reusableContentTitle,
} from '../reusable-content-members.ts';

const input = z
  .strictObject({
    reusableContentId: reusableContentRef.describe('ID of the reusable content, or the `ref` of an earlier change.'),
    title: reusableContentTitle.optional(),
    document: documentInput.nullish(),
    computed: computedContent,
  })
  .meta({
    inputName: 'UpdateReusableContentInput',
    description: 'Updates a reusable content on all pages that embed it. Omitted fields keep their values.',
  });

export const updateReusableContent = changeKind<typeof input, ValidatedBody | undefined>({
  input,
  prepare: (preparation, { document }, path) => preparation.readBody(document, path),
  async apply(edit, { reusableContentId, title, document, computed }, body, path) {
    const stored = await reusableContentIn(edit, reusableContentId, path);
    rejectOtherKind(stored, { document, computed }, path);
    const { documentHash, sourceHash, ...content } = stored;
    const before = { ...(documentHash && { documentHash }), ...(sourceHash && { sourceHash }) };
    const hashes = body && (await edit.writeText(before, body));
    const after = {
      documentHash: hashes ? hashes.documentHash : documentHash,
      sourceHash: hashes?.sourceHash === undefined ? sourceHash : hashes.sourceHash,
    };
    edit.reusableContents.put({
      ...content,
      ...(title !== undefined && { title }),
      ...(computed && { computed }),
      ...(after.documentHash && { documentHash: after.documentHash }),
      ...(after.documentHash && after.sourceHash && { sourceHash: after.sourceHash }),
    });
    return [{ action: 'updated', what: 'reusable-content', target: content.id }];
  },
});

/** A body and a source exclude each other. As with pages, neither can be replaced by the other. */
function rejectOtherKind(
  { computed: source }: ReusableContentEntry,
  { document, computed }: { document: unknown; computed: unknown },
  path: ChangePath,
): void {
  if (source && document) throw badInput([...path, 'document'], 'cannot be set, because the content is computed.');
  if (!source && computed) {
    throw badInput(
      [...path, 'computed'],
      'cannot be set, because the content has its own body. Insert a new content instead.',
    );
  }
}
