import type { Context } from '../../../platform/context.ts';
import { present, shapeOf } from '../../../platform/resource/rest.ts';
import type { ReusableContentEntry } from '../../store/manifests/index.ts';
import { reusableContent } from './resources.ts';

/** A reusable content in REST, from an entry of a manifest. */
export const presentReusableContent = (entry: ReusableContentEntry) =>
  present(reusableContent, { ...entry, organizationId: '', revisionId: '' }, NO_CONTEXT) as Record<string, unknown>;

// Its fields read neither the revision nor the context nor a loader.
const NO_CONTEXT = undefined as unknown as Context;

export const reusableContentShape = shapeOf(reusableContent);
