import { canReach, userIdOf } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context/context.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import { badInput } from '../../../platform/errors/errors.ts';
import { rowLoader } from '../../../platform/reads/loader.ts';
import type { LocalFile } from '../../../platform/storage/storage.ts';
import { limitedGrantOf, type UploadRow } from './create-upload.ts';
import { isUploadUrl, type UploadUrlParts, uploadIdIn } from './upload-url.ts';

/** An upload whose content has been received. */
export type ReceivedUpload = UploadRow & { blobHash: Buffer; size: number };

/**
 * The caller's own unexpired uploads by id, batched. Omits uploads of other users, and in organizations that the caller
 * does not reach. An application that is limited to spaces has those that it created.
 */
export const loadUpload = rowLoader<UploadRow>('upload', async (ctx, ids) => {
  const userId = userIdOf(ctx.actor);
  if (userId === undefined) return [];
  const rows = await ctx.db
    .selectFrom('upload')
    .where('id', '=', anyOf(ids))
    .where('userId', '=', userId)
    .where('expiresAt', '>', ctx.services.clock().toISOString())
    .selectAll()
    .execute();
  const only = limitedGrantOf(ctx.actor);
  return rows.filter(
    ({ organizationId, oauthGrantId }) =>
      canReach(ctx.actor, organizationId) && (only === undefined || oauthGrantId === only),
  );
});

/**
 * An upload for an operation in this organization, by its id or its URL. An upload that is unknown, expired, empty, or
 * belongs to another user or organization is a BAD_USER_INPUT at `path`. It only reads the row, so it can be called in
 * transactions.
 */
export async function uploadFor(
  ctx: Context,
  organizationId: string,
  idOrUrl: string,
  path: (string | number)[] = ['url'],
): Promise<ReceivedUpload> {
  const id = uploadIdIn(ctx, idOrUrl);
  const row = id === undefined ? undefined : await loadUpload(ctx, id);
  if (!row || row.organizationId !== organizationId) {
    throw badInput(
      path,
      `You have no upload "${idOrUrl.slice(0, 200)}" in this organization. Uploads expire after a day.`,
      'NOT_FOUND',
    );
  }
  const { blobHash, size } = row;
  if (blobHash === null || size === null)
    throw badInput(path, `The upload "${row.id}" has no content yet. Send the file to its upload URL.`);
  return { ...row, blobHash: Buffer.from(blobHash), size };
}

/** The upload that a signed upload URL leads to. Undefined if this service did not sign the URL, or it has expired. */
export const uploadAtUrl = async (ctx: Context, url: UploadUrlParts): Promise<UploadRow | undefined> =>
  isUploadUrl(ctx, url)
    ? ctx.db.selectFrom('upload').where('id', '=', url.id).selectAll().executeTakeFirst()
    : undefined;

/**
 * The content of an upload as a local file, which the caller releases. It may download all of the bytes, so call it
 * before a transaction, and after checking the size.
 */
export async function localFileOf(ctx: Context, { id, blobHash }: ReceivedUpload): Promise<LocalFile> {
  const localFile = await ctx.services.storage.localFile(blobHash);
  if (!localFile) throw new Error(`The content of ${id} is missing in storage.`);
  return localFile;
}
