import type { Context } from '../../../platform/context/context.ts';
import { present, shapeOf } from '../../../platform/resource/rest.ts';
import type { ReusableContentEntry } from '../../store/manifests/index.ts';
import { reusableContent } from './resources.ts';

/** Presents an entry of a manifest as a reusable content in REST, without the state of its source. */
export const presentReusableContent = (entry: ReusableContentEntry) =>
  present(reusableContent, { ...entry, organizationId: '', revisionId: '', isUncomputed: true }, NO_CONTEXT) as Record<
    string,
    unknown
  >;

// Only the state of a source is read from the database, and not for contents that are read as their source.
const NO_CONTEXT = undefined as unknown as Context;

export const reusableContentShape = shapeOf(reusableContent);
