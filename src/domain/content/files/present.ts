import type { JsonObject } from '../../../lib/canonical.ts';
import type { Context } from '../../../platform/context.ts';
import { present, shapeOf } from '../../../platform/resource/rest.ts';
import type { FileEntry } from '../../store/manifests/index.ts';
import { file } from './resources.ts';

/** A file in REST, from an entry of a manifest. */
export const presentFile = (entry: FileEntry, ctx: Context, organizationId: string) =>
  // Its fields read neither a loader, which would make a promise of it, nor the revision.
  present(file, { ...entry, organizationId, revisionId: '' }, ctx) as JsonObject;

export const fileShape = shapeOf(file);
