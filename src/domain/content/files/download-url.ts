import type { Context } from '../../../platform/context.ts';
import { isSigned, signatureOf } from '../../../platform/signature.ts';

const PURPOSE = 'file';

/**
 * The address of a file's bytes under a name. It needs no token, cannot be guessed, and never changes meaning: whoever may
 * see the file gets it, and may hand it on.
 */
export function downloadUrl(ctx: Context, organizationId: string, blob: string, name: string): string {
  const { config, secretKey } = ctx.services;
  const signature = signatureOf(secretKey, PURPOSE, organizationId, blob, name);
  return `${config.publicUrl}/files/${organizationId}/${blob}/${signature}/${encodeURIComponent(name)}`;
}

/** The parts of such an address. */
export interface DownloadParts {
  organizationId: string;
  blob: string;
  signature: string;
  name: string;
}

/** Whether this service gave out the address. */
export const isDownload = (ctx: Context, { organizationId, blob, signature, name }: DownloadParts): boolean =>
  isSigned(signature, ctx.services.secretKey, PURPOSE, organizationId, blob, name);
