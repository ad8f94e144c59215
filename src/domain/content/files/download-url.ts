import type { Context } from '../../../platform/context/context.ts';
import { isSigned, signatureOf } from '../../../platform/secret-key/signature.ts';
import { toBytes } from '../../store/revisions/index.ts';

const PURPOSE = 'file';

/**
 * URL to download a blob under a file name. It needs no token and cannot be guessed, and its content never changes.
 * Everyone who can view the file gets the URL and can share it.
 */
export function downloadUrl(ctx: Context, organizationId: string, blob: string, name: string): string {
  const { config, secretKeys } = ctx.services;
  const signature = signatureOf(secretKeys, PURPOSE, organizationId, blob, name);
  return `${config.publicUrl}/files/${organizationId}/${blob}/${signature}/${encodeURIComponent(name)}`;
}

/** The parts of a download URL. */
export interface DownloadParts {
  organizationId: string;
  blob: string;
  signature: string;
  name: string;
}

/** The parts of a URL, if it has the form of a download URL of this service. */
export function downloadParts({ services: { config } }: Context, url: string): DownloadParts | undefined {
  const prefix = `${config.publicUrl}/files/`;
  if (!url.startsWith(prefix)) return undefined;
  const [organizationId = '', blob = '', signature = '', name = '', ...others] = url.slice(prefix.length).split('/');
  if (others.length > 0) return undefined;
  try {
    return { organizationId, blob, signature, name: decodeURIComponent(name) };
  } catch {
    return undefined;
  }
}

/** Whether this service signed the download URL. */
export const isDownload = (ctx: Context, { organizationId, blob, signature, name }: DownloadParts): boolean =>
  isSigned(signature, ctx.services.secretKeys, PURPOSE, organizationId, blob, name);

/**
 * The stored blob that a download URL leads to. Undefined if this service did not sign the URL, or the blob is gone.
 */
export const findDownload = async (ctx: Context, parts: DownloadParts) =>
  isDownload(ctx, parts)
    ? ctx.db
        .selectFrom('blob')
        .where('organizationId', '=', parts.organizationId)
        .where('hash', '=', toBytes(parts.blob))
        .select(['contentType', 'size'])
        .executeTakeFirst()
    : undefined;
