import type { SignedFiles } from '../storage/signed-files.ts';
import type { Storage } from '../storage/storage.ts';
import { type CheckResult, fail, pass, reasonOf } from './check-result.ts';

const RESPONSE = {
  method: 'GET',
  contentType: 'application/octet-stream',
  contentDisposition: 'attachment; filename="checked"',
} as const;

/**
 * Whether a stored file can be downloaded from the bucket by a signed URL, without credentials and with the signed
 * headers.
 */
export async function checkSignedFiles(
  files: SignedFiles,
  storage: Storage,
  { publicUrl, storageTimeoutMs }: { publicUrl: string; storageTimeoutMs: number },
): Promise<CheckResult> {
  const { origin } = files;
  if (publicUrl.startsWith('https:') && !origin.startsWith('https:')) {
    return fail(
      'downloads',
      `Pages at ${publicUrl} cannot show files of ${origin}, because browsers block them there without TLS. Give STORAGE_URL an endpoint with https://, or remove STORAGE_PUBLIC.`,
    );
  }
  try {
    for await (const hash of storage.list()) {
      const { url } = await files.sign(hash, RESPONSE, new Date());
      const signal = AbortSignal.timeout(storageTimeoutMs);
      const { status, headers, body } = await fetch(url, {
        headers: { range: 'bytes=0-0' },
        redirect: 'error',
        signal,
      });
      await body?.cancel();
      const isSigned =
        headers.get('content-type') === RESPONSE.contentType &&
        headers.get('content-disposition') === RESPONSE.contentDisposition;
      if ((status === 200 || status === 206) && isSigned) {
        return pass(
          'downloads',
          `by signed URLs of ${origin}, tried from this machine; browsers must reach it, too. Pages can embed files without CORS rules of the bucket; scripts that fetch them need one (docs/operation.md)`,
        );
      }
      const reason = isSigned || status >= 300 ? `status ${status}` : 'other headers than those that were signed';
      return fail(
        'downloads',
        `A signed URL of ${origin} was answered with ${reason}. Correct the credentials, the clock of this machine or the proxy before the bucket, or remove STORAGE_PUBLIC.`,
      );
    }
    return pass('downloads', `by signed URLs of ${origin}; not tried, because no file is stored yet`);
  } catch (error) {
    return fail('downloads', `A signed URL of ${origin} cannot be read (${reasonOf(error)}). Correct STORAGE_URL.`);
  }
}
