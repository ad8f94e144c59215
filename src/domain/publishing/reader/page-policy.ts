import type { PageFrame } from './frame.ts';
import { SCRIPT_SOURCE } from './page-script.ts';

/** Permissions of the sandbox: new windows without it, downloads, and the form of the search. */
const SANDBOX =
  'sandbox allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox allow-downloads allow-top-navigation-by-user-activation';

/**
 * The Content Security Policy of a page. Sites of several organizations can share a host, so that their pages have no
 * origin (`sandbox` without `allow-same-origin`): whatever they contain, it cannot act as a user. One script of the
 * service is executed, which its hash identifies, and nothing else. Images are those of this service or of its bucket,
 * and the logos that the appearance names.
 */
export function sitePagePolicy({ view, place: { look } }: PageFrame): string {
  const { config, signedFiles } = view.ctx.services;
  const { light, dark } = view.site.icon ?? {};
  const logos = [look.header.logo, look.footer.logo, { light, dark }].flatMap((logo) => [logo?.light, logo?.dark]);
  const files = [`${config.publicUrl}/files/`, ...(signedFiles ? [signedFiles.source] : [])];
  const images = ["'self'", ...files, ...new Set(logos.flatMap((url) => sourceOf(url) ?? []))];
  return [
    "default-src 'none'",
    "style-src 'self'",
    `script-src ${SCRIPT_SOURCE}`,
    "connect-src 'self'",
    `img-src ${images.join(' ')}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    SANDBOX,
  ].join('; ');
}

/** A source without what would end it (Content Security Policy Level 3, 2.3.1): its origin and path. */
function sourceOf(url: string | null | undefined): string | undefined {
  if (url == null || !URL.canParse(url)) return undefined;
  const { origin, pathname } = new URL(url);
  return /^https?:/.test(origin) && !/[;,'\s]/.test(pathname) ? `${origin}${pathname}` : undefined;
}
