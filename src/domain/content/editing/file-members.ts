import { z } from 'zod';
import { badInput } from '../../../platform/errors.ts';
import type { FileEntry } from '../../store/manifests/index.ts';
import type { ChangePath } from './change-path.ts';
import type { ContentEdit } from './content-edit.ts';

/** Names a file: its id, or the `ref` of one inserted earlier in the same call. */
export const fileRef = z.string().max(200).meta({ prefix: 'file' });

/** The file as it is now. */
export async function fileIn({ files, refs }: ContentEdit, idOrRef: string, path: ChangePath): Promise<FileEntry> {
  const file = await files.get(refs.idOf(idOrRef));
  if (file) return file;
  throw badInput([...path, 'fileId'], `There is no file "${idOrRef}".`);
}
