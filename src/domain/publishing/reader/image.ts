import type { Context } from '../../../platform/context/context.ts';
import { downloadParts, downloadUrl, isDownload } from '../../content/files/index.ts';
import type { SiteAnswer } from './cache.ts';
import type { FoundSite } from './find-site.ts';
import { absentSite } from './not-found.ts';

/**
 * `~gitbook/image?url=…`, where renderers have images resized. Stemma has the original only: it redirects to the file of the
 * organization that `url` downloads, and ignores `width`, `dpr`, `quality` and `sign`. It fetches nothing, so that no
 * other URL leads anywhere.
 */
export function siteImage(ctx: Context, site: FoundSite, { url = '' }: Readonly<Record<string, string>>): SiteAnswer {
  const parts = downloadParts(ctx, url);
  if (parts?.organizationId !== site.organizationId || !isDownload(ctx, parts)) return absentSite();
  const location = downloadUrl(ctx, parts.organizationId, parts.blob, parts.name);
  return { status: 307, headers: { location, 'cache-control': 'max-age=3600' }, body: '' };
}
