/** How browsers treat a file that they download from our origin. */
export interface DownloadPolicy {
  disposition: 'inline' | 'attachment';
  contentSecurityPolicy?: string;
}

/** Types that browsers display. All others are downloaded, so that uploaded files cannot run as pages of our origin. */
const INLINE = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/heic',
  'image/heif',
  'image/bmp',
  'image/x-icon',
  'image/svg+xml',
  'video/mp4',
  'video/webm',
  'video/ogg',
  'video/quicktime',
  'audio/mpeg',
  'audio/mp4',
  'audio/ogg',
  'audio/wav',
  'audio/flac',
  'application/pdf',
]);

/** Displayed although it may contain scripts. */
const SVG = 'image/svg+xml';

/** SVG images only need styles and embedded images and fonts. Downloaded files need nothing. */
const NO_SCRIPTS = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; sandbox";

/**
 * Images, video, audio and PDF are displayed, everything else is downloaded. Types that may contain scripts get a
 * sandbox, in case a browser displays them anyway. PDF gets none, because the PDF viewers of browsers do not work in a
 * sandbox.
 */
export function downloadPolicy(contentType: string): DownloadPolicy {
  if (!INLINE.has(contentType)) return { disposition: 'attachment', contentSecurityPolicy: NO_SCRIPTS };
  return { disposition: 'inline', ...(contentType === SVG ? { contentSecurityPolicy: NO_SCRIPTS } : {}) };
}
