import { imageSize } from 'image-size';

export interface Dimensions {
  width: number;
  height: number;
}

/**
 * Number of bytes at the start of an image that are needed to detect its dimensions. The limits also bound the time
 * spent on malicious images, because the library scans some formats in quadratic time. A JPEG file may start with a
 * large preview.
 */
const HEAD_BYTES: Record<string, number> = {
  'image/png': 64,
  'image/gif': 64,
  'image/webp': 64,
  'image/bmp': 64,
  'image/x-icon': 4_096,
  'image/avif': 32_768,
  'image/heic': 32_768,
  'image/heif': 32_768,
  'image/svg+xml': 8_192,
  'image/jpeg': 1_048_576,
};

/** Number of bytes that `imageDimensions` needs for a media type; 0 for types it does not support. */
export const headBytesFor = (contentType: string): number => HEAD_BYTES[contentType] ?? 0;

/** Displayed width and height of an image in pixels, from its first bytes; undefined if they cannot be detected. */
export function imageDimensions(contentType: string, head: Uint8Array): Dimensions | undefined {
  const bytes = head.subarray(0, headBytesFor(contentType));
  if (bytes.length === 0) return undefined;
  try {
    const { width, height, orientation = 1 } = imageSize(bytes);
    // EXIF orientations 5 and above rotate the image by 90 degrees.
    const upright = orientation >= 5 ? { width: height, height: width } : { width, height };
    return isPixels(upright.width) && isPixels(upright.height) ? upright : undefined;
  } catch {
    return undefined;
  }
}

const MAX_PIXELS = 2 ** 31 - 1;

const isPixels = (value: number) => Number.isInteger(value) && value > 0 && value <= MAX_PIXELS;
