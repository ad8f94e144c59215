import { z } from 'zod';
import { type DescribedBlob, fileName } from '../files/index.ts';
import { changeKind } from './change-kind.ts';
import { fileIn, fileRef } from './file-members.ts';
import { fileSource, sourcesIn } from './file-source.ts';

const input = z
  .strictObject({
    fileId: fileRef.describe('The file, by id or by the `ref` of an earlier change.'),
    name: fileName.nullish().describe('Another name; absent stays.'),
    ...fileSource,
  })
  .refine((file) => sourcesIn(file) <= 1, { error: 'give the bytes as url or as base64, not both.' })
  .meta({
    inputName: 'UpdateFileInput',
    description: 'Another name or other bytes for a file, which stays the same file wherever it is used.',
  });

export const updateFile = changeKind<typeof input, DescribedBlob | undefined>({
  input,
  prepare: async (preparation, change, path) =>
    sourcesIn(change) === 0 ? undefined : preparation.storeFile(change, path),
  async apply(edit, { fileId, name }, blob, path) {
    const file = await fileIn(edit, fileId, path);
    if (blob) edit.putFile(file.id, name ?? file.name, blob);
    else if (name != null) await edit.renameFile(file, name);
    return [{ action: 'updated', what: 'file', target: file.id }];
  },
});
