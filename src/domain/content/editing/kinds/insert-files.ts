import { z } from 'zod';
import { withCode } from '../../../../lib/validation/issue-code.ts';
import { type DescribedBlob, fileName } from '../../files/index.ts';
import { changeKind } from '../edit-state/change-kind.ts';
import { fileSource, sourcesIn } from '../edit-state/file-source.ts';
import { newRef } from '../page-members.ts';

const newFile = z
  .object({
    name: fileName.describe('File name with extension, up to 256 characters.'),
    ...fileSource,
    contentType: z
      .string()
      .max(255)
      .nullish()
      .describe('Accepted for compatibility and ignored. The media type is detected from the content and the name.'),
    ref: newRef('file'),
  })
  .refine((file) => sourcesIn(file) === 1, {
    error: 'must have exactly one of url, uploadId and base64.',
    ...withCode('ONE_OF'),
  })
  .meta({ inputName: 'NewFileInput', description: 'A file to insert, with its content.' });

const input = z.object({ files: z.array(newFile).min(1).max(20).describe('Files to insert, 1 to 20.') }).meta({
  inputName: 'InsertFilesInput',
  description: 'Inserts up to 20 files.',
});

type Ready = { fileId: string; blob: DescribedBlob }[];

export const insertFiles = changeKind<typeof input, Ready>({
  input,
  declare: (preparation, { files }) => preparation.declareFiles(files.length),
  async prepare(preparation, { files }, path) {
    const named = files.map(({ ref, ...source }, index) => {
      const place = [...path, 'files', index];
      return { fileId: preparation.refs.create('file', ref, place), source, place };
    });
    const stored: Ready = [];
    preparation.noteStored(0);
    for (const { fileId, source, place } of named) {
      stored.push({ fileId, blob: await preparation.storeFile(source, place) });
      preparation.noteStored(1);
    }
    return stored;
  },
  async apply(edit, { files }, stored) {
    return files.flatMap(({ name, ref }, index) => {
      const file = stored[index];
      if (!file) return [];
      edit.putFile(file.fileId, name, file.blob);
      return [{ action: 'created', what: 'file', target: file.fileId, ...(ref != null ? { ref } : {}) }];
    });
  },
});
