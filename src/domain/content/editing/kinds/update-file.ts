import { z } from 'zod';
import { withCode } from '../../../../lib/validation/issue-code.ts';
import { type DescribedBlob, fileName } from '../../files/index.ts';
import { changeKind } from '../edit-state/change-kind.ts';
import { fileSource, sourcesIn } from '../edit-state/file-source.ts';
import { existingFile, fileRef } from '../file-members.ts';

const input = z
  .strictObject({
    fileId: fileRef.describe('ID of the file, or the `ref` of an earlier change.'),
    name: fileName.nullish().describe('New name of the file, up to 256 characters. Default: the current name.'),
    ...fileSource,
  })
  .refine((file) => sourcesIn(file) <= 1, {
    error: 'must have at most one of url, uploadId and base64.',
    ...withCode('ONE_OF'),
  })
  .meta({
    inputName: 'UpdateFileInput',
    description: 'Renames a file or replaces its content. References to the file stay valid.',
  });

export const updateFile = changeKind<typeof input, DescribedBlob | undefined>({
  input,
  prepare: async (preparation, change, path) =>
    sourcesIn(change) === 0 ? undefined : preparation.storeFile(change, path),
  async apply(edit, { fileId, name }, blob, path) {
    const file = await existingFile(edit, fileId, path);
    if (blob) edit.putFile(file.id, name ?? file.name, blob);
    else if (name != null) await edit.renameFile(file, name);
    return [{ action: 'updated', what: 'file', target: file.id }];
  },
});
