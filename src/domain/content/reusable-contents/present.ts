import type { Context } from '../../../platform/context/context.ts';
import { present, shapeOf } from '../../../platform/resource/rest.ts';
import type { ReusableContentEntry } from '../../store/manifests/index.ts';
import { reusableContent } from './resources.ts';

/** Presents an entry of a manifest as a reusable content in REST, without the state of its source. */
export const presentReusableContent = (ctx: Context, entry: ReusableContentEntry) =>
  present(reusableContent, { ...entry, organizationId: '', revisionId: '', isUncomputed: true }, ctx) as Record<
    string,
    unknown
  >; // only the state of a source is read from the database, and not for contents that are read as their source

export const reusableContentShape = shapeOf(reusableContent);
