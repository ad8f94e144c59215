import type { Context } from '../../../platform/context/context.ts';
import { locationUrl } from '../../../platform/resource/urls.ts';
import { isSigned, signatureOf } from '../../../platform/secret-key/signature.ts';
import type { UploadRow } from './create-upload.ts';

const PURPOSE = 'upload';

/** URL that identifies the upload in later operations, for example as the `url` of an import. */
export const uploadLocation = (ctx: Context, id: string): string => locationUrl(ctx, `/v1/uploads/${id}`);

/** The id in such a URL, or the id itself; undefined for any other text. */
export function uploadIdIn(ctx: Context, idOrUrl: string): string | undefined {
  const base = uploadLocation(ctx, '');
  const id = idOrUrl.startsWith(base) ? idOrUrl.slice(base.length) : idOrUrl;
  return /^upload_\w+$/.test(id) ? id : undefined;
}

/** URL to send the file to with one `PUT` request, without a token: the signature is the permission. */
export function signedUploadUrl(ctx: Context, { id, expiresAt }: UploadRow): string {
  const { config, secretKeys } = ctx.services;
  const expires = String(Date.parse(expiresAt));
  const signature = signatureOf(secretKeys, PURPOSE, id, expires);
  return `${config.publicUrl}/uploads/${id}?expires=${expires}&signature=${signature}`;
}

/** The parts of a signed upload URL. */
export interface UploadUrlParts {
  id: string;
  expires: string;
  signature: string;
}

/** Whether this service signed the URL and it has not expired. */
export function isUploadUrl(ctx: Context, url: UploadUrlParts): boolean {
  const { clock, secretKeys } = ctx.services;
  const isOurs = isSigned(url.signature, secretKeys, PURPOSE, url.id, url.expires);
  return isOurs && Number(url.expires) > clock().getTime();
}
