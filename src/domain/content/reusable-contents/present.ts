import type { Context } from '../../../platform/context.ts';
import { present, shapeOf } from '../../../platform/resource/rest.ts';
import type { ReusableContentEntry } from '../../store/manifests/index.ts';
import { reusableContent } from './resources.ts';

/** Presents an entry of a manifest as a reusable content in REST. */
export const presentReusableContent = (entry: ReusableContentEntry) =>
  present(reusableContent, { ...entry, organizationId: '', revisionId: '' }, NO_CONTEXT) as Record<string, unknown>;

// The fields neither use the context or loaders, nor read the revision.
const NO_CONTEXT = undefined as unknown as Context;

export const reusableContentShape = shapeOf(reusableContent);
