import { convertIndexedToRgb, type DecodedPng, decode, encode } from 'fast-png';

/** Sizes in pixels above which images are scaled down: 200 dots per inch for an image as large as a sheet. */
const MAX_WIDTH = 2_000;
const MAX_HEIGHT = 2_400;

/** Maximum size of the pixels of an image in memory. */
const MAX_PIXEL_BYTES = 200_000_000;

/**
 * Returns an image in a form that is written into a PDF quickly. PNG images that need it are decoded, scaled down to
 * what can be seen in print and stored without a transparency that they do not use. Undefined for images that cannot be
 * read or are too large to be.
 */
export function printableImage(bytes: Uint8Array): Uint8Array | undefined {
  if (!isPng(bytes)) return bytes;
  const header = headerOf(bytes);
  if (!header) return undefined;
  if (!isDecoded(bytes, header)) return bytes;
  const { width, height, depth, colorType } = header;
  if (width * height * ((CHANNELS[colorType] ?? 4) + 1) * (depth / 8) > MAX_PIXEL_BYTES) return undefined;
  try {
    const pixels = samplesOf(decode(bytes));
    return pixels ? encode({ ...reduced(pixels), depth: 8 }) : bytes;
  } catch {
    return undefined;
  }
}

const SIGNATURE = [137, 80, 78, 71, 13, 10, 26, 10];
const isPng = (bytes: Uint8Array) => SIGNATURE.every((byte, index) => bytes[index] === byte);

interface Header {
  width: number;
  height: number;
  depth: number;
  colorType: number;
  isInterlaced: boolean;
}

/** Samples of a pixel by color type. Colors of a palette can be transparent, too. */
const CHANNELS: Record<number, number> = { 0: 1, 2: 3, 3: 4, 4: 2, 6: 4 };

/** The header, IHDR (ISO/IEC 15948, 11.2.2). */
function headerOf(bytes: Uint8Array): Header | undefined {
  if (bytes.length < 33) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    width: view.getUint32(16),
    height: view.getUint32(20),
    depth: view.getUint8(24),
    colorType: view.getUint8(25),
    isInterlaced: view.getUint8(28) !== 0,
  };
}

/** PDFs contain the data of other images as it is. */
function isDecoded(bytes: Uint8Array, { width, height, colorType, isInterlaced }: Header): boolean {
  if (width > MAX_WIDTH || height > MAX_HEIGHT || isInterlaced || colorType === 4 || colorType === 6) return true;
  return colorType === 3 && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes('tRNS');
}

/** Pixels of eight bits per sample: gray or RGB, with or without transparency. */
interface Pixels {
  width: number;
  height: number;
  channels: number;
  data: Uint8Array;
}

/** Undefined for images of several pixels per byte and for those with a transparent color, which PDFs can contain. */
function samplesOf(png: DecodedPng): Pixels | undefined {
  const { width, height } = png;
  if (png.palette) {
    const data = convertIndexedToRgb(png);
    return { width, height, channels: data.length / (width * height), data };
  }
  if (png.depth < 8 || png.transparency) return undefined;
  const data = png.data instanceof Uint16Array ? Uint8Array.from(png.data, (value) => value >> 8) : png.data;
  return { width, height, channels: png.channels, data: new Uint8Array(data.buffer, data.byteOffset, data.length) };
}

/** The mean of squares of pixels, weighted by how opaque they are, without transparency if none is left. */
function reduced({ width, height, channels, data }: Pixels): Pixels {
  const factor = Math.max(1, Math.ceil(width / MAX_WIDTH), Math.ceil(height / MAX_HEIGHT));
  const [columns, rows] = [Math.max(1, Math.floor(width / factor)), Math.max(1, Math.floor(height / factor))];
  const hasAlpha = channels === 2 || channels === 4;
  const colors = hasAlpha ? channels - 1 : channels;
  const isOpaque = !hasAlpha || isAll255(data, channels);
  const outChannels = isOpaque ? colors : channels;
  const out = new Uint8Array(columns * rows * outChannels);
  const sums = new Float64Array(colors);
  for (let row = 0, to = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1, to += outChannels) {
      sums.fill(0);
      let [weight, count] = [0, 0];
      for (let y = row * factor; y < Math.min(height, (row + 1) * factor); y += 1) {
        for (let x = column * factor; x < Math.min(width, (column + 1) * factor); x += 1, count += 1) {
          const from = (y * width + x) * channels;
          const alpha = hasAlpha ? (data[from + colors] ?? 0) : 255;
          weight += alpha;
          for (let color = 0; color < colors; color += 1)
            sums[color] = (sums[color] ?? 0) + alpha * (data[from + color] ?? 0);
        }
      }
      for (let color = 0; color < colors; color += 1)
        out[to + color] = weight === 0 ? 255 : Math.round((sums[color] ?? 0) / weight);
      if (!isOpaque) out[to + colors] = Math.round(weight / count);
    }
  }
  return { width: columns, height: rows, channels: outChannels, data: out };
}

function isAll255(data: Uint8Array, channels: number): boolean {
  for (let at = channels - 1; at < data.length; at += channels) if (data[at] !== 255) return false;
  return true;
}
