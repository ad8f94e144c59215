import type { JsonObject } from '../../../lib/canonical.ts';
import type { Context } from '../../../platform/context/context.ts';
import { present, shapeOf } from '../../../platform/resource/rest.ts';
import type { FileEntry } from '../../store/manifests/index.ts';
import { file } from './resources.ts';

/** Presents an entry of a manifest as a file in REST. */
export const presentFile = (entry: FileEntry, ctx: Context, organizationId: string) =>
  // The fields neither use loaders, which would return a promise, nor read the revision.
  present(file, { ...entry, organizationId, revisionId: '' }, ctx) as JsonObject;

export const fileShape = shapeOf(file);
