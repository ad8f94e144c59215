/** How browsers treat a file that they download from our origin. */
export interface DownloadPolicy {
  disposition: 'inline' | 'attachment';
  contentSecurityPolicy?: string;
}

/**
 * Types that browsers display. None of them can act in our origin. All others are downloaded. SVG is one of those: a
 * page can show it with `<img>`, which ignores the disposition and runs no scripts, but opening its URL downloads it.
 */
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

/** Archives and documents, which browsers only save. */
const SAVED = new Set([
  'application/octet-stream',
  'application/zip',
  'application/gzip',
  'application/x-7z-compressed',
  'application/x-tar',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.oasis.opendocument.text',
  'application/vnd.oasis.opendocument.spreadsheet',
  'application/vnd.oasis.opendocument.presentation',
]);

/**
 * Whether a bucket may send a file of this type to browsers. It does not send our safe headers, so everything that a
 * browser could run or take for HTML passes through the service: text, HTML, XML, SVG, scripts, fonts, and types that
 * are added later.
 */
export const isSafeFromBucket = (contentType: string): boolean => INLINE.has(contentType) || SAVED.has(contentType);

/** For browsers that display a download anyway. SVG in pages only needs styles and embedded images and fonts. */
const NO_SCRIPTS = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; sandbox";

/**
 * Bitmaps, video, audio and PDF are displayed, everything else is downloaded. Scripts of a PDF run in the viewer, which
 * has no origin; PDF gets no sandbox, because the viewers of browsers do not work in one.
 */
export const downloadPolicy = (contentType: string): DownloadPolicy =>
  INLINE.has(contentType)
    ? { disposition: 'inline' }
    : { disposition: 'attachment', contentSecurityPolicy: NO_SCRIPTS };
