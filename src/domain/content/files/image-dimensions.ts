import { imageSize } from 'image-size';

export interface Dimensions {
  width: number;
  height: number;
}

/**
 * How much of the start of an image tells its dimensions. The bounds also bound the time that a made-up image can take:
 * the library looks through some formats in quadratic time. A JPEG may carry a large preview in front.
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

/** How many bytes `imageDimensions` wants of a file of this type; 0 where it knows nothing. */
export const headBytesFor = (contentType: string): number => HEAD_BYTES[contentType] ?? 0;

/** Width and height of an image in pixels, as it is shown, from its first bytes; undefined when they do not say. */
export function imageDimensions(contentType: string, head: Uint8Array): Dimensions | undefined {
  const bytes = head.subarray(0, headBytesFor(contentType));
  if (bytes.length === 0) return undefined;
  try {
    const { width, height, orientation = 1 } = imageSize(bytes);
    // Exif's orientations from 5 on show the image lying on its side.
    const shown = orientation >= 5 ? { width: height, height: width } : { width, height };
    return isPixels(shown.width) && isPixels(shown.height) ? shown : undefined;
  } catch {
    return undefined;
  }
}

const MAX_PIXELS = 2 ** 31 - 1;

const isPixels = (value: number) => Number.isInteger(value) && value > 0 && value <= MAX_PIXELS;
