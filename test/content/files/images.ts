/** A PNG that only consists of its header. */
export function png(width: number, height: number): Buffer {
  const header = Buffer.alloc(25);
  header.writeUInt32BE(13, 0);
  header.write('IHDR', 4, 'latin1');
  header.writeUInt32BE(width, 8);
  header.writeUInt32BE(height, 12);
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), header]);
}

/** A GIF's header. */
export function gif(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(13);
  bytes.write('GIF89a', 0, 'latin1');
  bytes.writeUInt16LE(width, 6);
  bytes.writeUInt16LE(height, 8);
  return bytes;
}

/** The frame header of a JPEG, after EXIF orientation and `padding` bytes that viewers skip. */
export function jpeg(width: number, height: number, { orientation = 1, padding = 0 } = {}): Buffer {
  const exif = Buffer.alloc(34);
  exif.write('\xff\xe1\0\x20Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01', 0, 'latin1');
  exif.writeUInt16BE(orientation, 28);
  const segments: Buffer[] = [];
  for (let left = padding; left > 0; left -= 60_000) {
    const segment = Buffer.alloc(60_002);
    segment.write('\xff\xe2', 0, 'latin1');
    segment.writeUInt16BE(60_000, 2);
    segments.push(segment);
  }
  const frame = Buffer.alloc(19);
  frame.write('\xff\xc0\0\x11\x08', 0, 'latin1');
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  return Buffer.concat([
    Buffer.from('\xff\xd8', 'latin1'),
    exif,
    ...segments,
    frame,
    Buffer.from('\xff\xd9', 'latin1'),
  ]);
}

/** The header of an extended WebP. */
export function webp(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(30);
  bytes.write('RIFF\x16\0\0\0WEBPVP8X\x0a\0\0\0', 0, 'latin1');
  bytes.writeUIntLE(width - 1, 24, 3);
  bytes.writeUIntLE(height - 1, 27, 3);
  return bytes;
}

/** The boxes of an AVIF that contain its size. */
export function avif(width: number, height: number): Buffer {
  const size = Buffer.alloc(12);
  size.writeUInt32BE(width, 4);
  size.writeUInt32BE(height, 8);
  const properties = box('iprp', box('ipco', box('ispe', size)));
  return Buffer.concat([
    box('ftyp', Buffer.from('avif\0\0\0\0avif', 'latin1')),
    box('meta', Buffer.alloc(4), properties),
  ]);
}

/** A box of the ISO base media format (ISO/IEC 14496-12). */
export function box(type: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const header = Buffer.alloc(8);
  header.writeUInt32BE(body.length + 8, 0);
  header.write(type, 4, 'latin1');
  return Buffer.concat([header, body]);
}
