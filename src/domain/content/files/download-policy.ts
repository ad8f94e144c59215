/** How a browser may treat a file's bytes that it got from our origin. */
export interface DownloadPolicy {
  disposition: 'inline' | 'attachment';
  contentSecurityPolicy?: string;
}

/** Shown in the browser. What is not among them is saved instead, so that nobody's file runs as a page of ours. */
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

/** Markup, shown though it may hold scripts. */
const SVG = 'image/svg+xml';

/** Styles and embedded pictures are all that an SVG needs to look as it should; nothing is needed by what is saved. */
const NO_SCRIPTS = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; sandbox";

/**
 * Pictures, films, sound and PDF are shown; everything else is saved. Whatever can hold scripts is sandboxed, so that it
 * does not act for our origin even where a browser shows it after all. PDF readers of browsers refuse a sandbox.
 */
export function downloadPolicy(contentType: string): DownloadPolicy {
  if (!INLINE.has(contentType)) return { disposition: 'attachment', contentSecurityPolicy: NO_SCRIPTS };
  return { disposition: 'inline', ...(contentType === SVG ? { contentSecurityPolicy: NO_SCRIPTS } : {}) };
}
