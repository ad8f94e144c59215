import { zlibSync } from 'fflate';

/** A color as red, green and blue, 0 to 255. */
type Rgb = readonly [red: number, green: number, blue: number];

const SIGNATURE = [137, 80, 78, 71, 13, 10, 26, 10];
const CRC = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value >>> 0;
});

function crcOf(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of bytes) value = (CRC[(value ^ byte) & 0xff] ?? 0) ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(data.length + 12);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  bytes.set(new TextEncoder().encode(type), 4);
  bytes.set(data, 8);
  view.setUint32(data.length + 8, crcOf(bytes.subarray(4, data.length + 8)));
  return bytes;
}

/** A PNG (ISO/IEC 15948) with a palette of up to 256 colors. Each row has the index of the color of each pixel. */
export function pngOf({
  width,
  rows,
  palette,
}: {
  width: number;
  rows: readonly Uint8Array[];
  palette: readonly Rgb[];
}) {
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, rows.length);
  header.set([8, 3, 0, 0, 0], 8);
  // Each row begins with its filter: none.
  const pixels = new Uint8Array((width + 1) * rows.length);
  for (const [index, row] of rows.entries()) pixels.set(row, index * (width + 1) + 1);
  const chunks = [
    Uint8Array.from(SIGNATURE),
    chunk('IHDR', header),
    chunk('PLTE', Uint8Array.from(palette.flat())),
    chunk('IDAT', zlibSync(pixels, { level: 6 })),
    chunk('IEND', new Uint8Array()),
  ];
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const part of chunks) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}
