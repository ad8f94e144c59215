import { z } from 'zod';
import { badInput } from '../../../platform/errors/errors.ts';
import { nameText } from '../../../platform/shapes/text.ts';
import type { ReusableContentEntry } from '../../store/manifests/index.ts';
import { computedSource } from '../pages/index.ts';
import type { ChangePath } from './edit-state/change-path.ts';
import type { ContentEdit } from './edit-state/content-edit.ts';

/** Id of a reusable content, or the `ref` of one that is inserted earlier in the same call. */
export const reusableContentRef = z.string().max(200).meta({ prefix: 'reusable' });

export const reusableContentTitle = nameText(255).describe(
  'Title of the reusable content, 1 to 255 characters, not only whitespace.',
);

export const computedContent = computedSource
  .refine(({ type }) => type !== 'builtin:translation', {
    error: 'must not be of type `builtin:translation`: translations have the contents of their source',
  })
  .meta({
    scalar: 'JSONObject',
    description:
      'Source of a computed reusable content. Its body is computed when it is read: `{ type, props, dependencies }`, as for computed pages. A content with a source has no `document`.',
  })
  .nullish();

/** The reusable content in its present state. Throws BAD_USER_INPUT if it does not exist. */
export async function reusableContentIn(
  { reusableContents, refs }: ContentEdit,
  idOrRef: string,
  path: ChangePath,
): Promise<ReusableContentEntry> {
  const content = await reusableContents.get(refs.idOf(idOrRef));
  if (content) return content;
  throw badInput([...path, 'reusableContentId'], `is not a reusable content of this space: "${idOrRef}".`, 'NOT_FOUND');
}
