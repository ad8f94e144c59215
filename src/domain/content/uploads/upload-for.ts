import { userIdOf } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context.ts';
import { anyOf } from '../../../platform/database/any-of.ts';
import { badInput } from '../../../platform/errors.ts';
import { rowLoader } from '../../../platform/loader.ts';
import type { UploadRow } from './create-upload.ts';
import { uploadIdIn } from './upload-url.ts';

/** An upload with its bytes as a file on this machine; call `release` when done with it. */
export interface UsableUpload {
  row: UploadRow & { blobHash: Buffer };
  localFile: { path: string; release(): Promise<void> };
}

/** The caller's own uploads by id, batched, while they last; others' are left out. */
export const loadUpload = rowLoader<UploadRow>('upload', async (ctx, ids) => {
  const userId = userIdOf(ctx.actor);
  if (userId === undefined) return [];
  return ctx.db
    .selectFrom('upload')
    .where('id', '=', anyOf(ids))
    .where('userId', '=', userId)
    .where('expiresAt', '>', ctx.services.clock().toISOString())
    .selectAll()
    .execute();
});

/**
 * An upload for an operation in this organization, by its id or its address. Unknown, expired, another user's, another
 * organization's, or without bytes yet: a fault of the input at `path`.
 */
export async function uploadFor(
  ctx: Context,
  organizationId: string,
  idOrUrl: string,
  path: (string | number)[] = ['url'],
): Promise<UsableUpload> {
  const id = uploadIdIn(ctx, idOrUrl);
  const row = id === undefined ? undefined : await loadUpload(ctx, id);
  if (!row || row.organizationId !== organizationId) {
    throw badInput(
      path,
      `There is no upload of yours "${idOrUrl.slice(0, 200)}" in this organization; one lasts a day.`,
    );
  }
  const { blobHash } = row;
  if (blobHash === null)
    throw badInput(path, `The upload "${row.id}" has no bytes yet; send them to its upload address.`);
  const hash = Buffer.from(blobHash);
  const localFile = await ctx.services.storage.localFile(hash);
  if (!localFile) throw new Error(`The bytes of ${row.id} are not in storage.`);
  return { row: { ...row, blobHash: hash }, localFile };
}
