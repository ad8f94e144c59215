import { z } from 'zod';
import { changeKind } from '../edit-state/change-kind.ts';
import { existingFile, fileRef } from '../file-members.ts';

const input = z.strictObject({ fileId: fileRef.describe('ID of the file. Links to the file become broken.') }).meta({
  inputName: 'DeleteFileInput',
  description: 'Deletes a file. Earlier revisions keep it, and its download URL keeps working.',
});

export const deleteFile = changeKind({
  input,
  async apply(edit, { fileId }, _ready, path) {
    const { id } = await existingFile(edit, fileId, path);
    edit.files.remove(id);
    return [{ action: 'deleted', what: 'file', target: id }];
  },
});
