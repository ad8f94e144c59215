import { z } from 'zod';
import { changeKind } from './change-kind.ts';
import { fileIn, fileRef } from './file-members.ts';

const input = z
  .strictObject({ fileId: fileRef.describe('The file. Pages that show it have a broken link then.') })
  .meta({
    inputName: 'DeleteFileInput',
    description: 'The removal of a file. Revisions before keep it, and its address keeps working.',
  });

export const deleteFile = changeKind({
  input,
  async apply(edit, { fileId }, _ready, path) {
    const { id } = await fileIn(edit, fileId, path);
    edit.files.remove(id);
    return [{ action: 'deleted', what: 'file', target: id }];
  },
});
