import { z } from 'zod';
import { badInput } from '../../../platform/errors.ts';
import { nameOf } from '../../../platform/text.ts';
import type { ReusableContentEntry } from '../../store/manifests/index.ts';
import type { ChangePath } from './change-path.ts';
import type { ContentEdit } from './content-edit.ts';

/** Names a reusable content: its id, or the `ref` of one inserted earlier in the same call. */
export const reusableContentRef = z.string().max(200).meta({ prefix: 'reusable' });

export const reusableContentTitle = nameOf(255).describe(
  'What it is called, 1 to 255 characters, not only white space.',
);

/** The reusable content as it is now. */
export async function reusableContentIn(
  { reusableContents, refs }: ContentEdit,
  idOrRef: string,
  path: ChangePath,
): Promise<ReusableContentEntry> {
  const content = await reusableContents.get(refs.idOf(idOrRef));
  if (content) return content;
  throw badInput([...path, 'reusableContentId'], `There is no reusable content "${idOrRef}".`);
}
