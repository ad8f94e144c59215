import { z } from 'zod';
import { badInput } from '../../../platform/errors/errors.ts';
import type { FileEntry } from '../../store/manifests/index.ts';
import type { ChangePath } from './edit-state/change-path.ts';
import type { ContentEdit } from './edit-state/content-edit.ts';

/** Id of a file, or the `ref` of a file that is inserted earlier in the same call. */
export const fileRef = z.string().max(200).meta({ prefix: 'file' });

/** The file in its present state. Throws BAD_USER_INPUT if it does not exist. */
export async function existingFile(
  { files, refs }: ContentEdit,
  idOrRef: string,
  path: ChangePath,
): Promise<FileEntry> {
  const file = await files.get(refs.idOf(idOrRef));
  if (file) return file;
  throw badInput([...path, 'fileId'], `is not a file of this space: "${idOrRef}".`, 'NOT_FOUND');
}
