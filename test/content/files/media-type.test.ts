import { describe, expect, test } from 'vitest';
import { imageDimensions } from '../../../src/domain/content/files/image-dimensions.ts';
import { mediaTypeOf, namedMediaType } from '../../../src/domain/content/files/media-type.ts';
import { expectLinear } from '../../growth.ts';
import { avif, box, gif, jpeg, png, webp } from './images.ts';

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="2"/>';

describe('the media type of bytes', () => {
  test.each([
    ['image/png', png(1, 1)],
    ['image/jpeg', jpeg(1, 1)],
    ['image/gif', gif(1, 1)],
    ['image/webp', webp(1, 1)],
    ['image/avif', avif(1, 1)],
    ['image/heic', latin1('\0\0\0\x18ftypheic')],
    ['image/bmp', latin1('BM\x46\0\0\0\0\0\0\0')],
    ['image/x-icon', latin1('\0\0\x01\0\x01\0')],
    ['video/mp4', latin1('\0\0\0\x18ftypisom')],
    ['video/quicktime', latin1('\0\0\0\x14ftypqt  ')],
    ['audio/mp4', latin1('\0\0\0\x18ftypM4A ')],
    ['video/webm', latin1('\x1a\x45\xdf\xa3')],
    ['audio/mpeg', latin1('ID3\x04\0')],
    ['audio/wav', latin1('RIFF\0\0\0\0WAVEfmt ')],
    ['application/pdf', latin1('%PDF-1.7\n%\xe2\xe3')],
    ['application/zip', latin1('PK\x03\x04\x14\0')],
    ['application/gzip', latin1('\x1f\x8b\x08\0')],
    ['font/woff2', latin1('wOF2\0\x01')],
    ['image/svg+xml', svg],
    [
      'image/svg+xml',
      `\uFEFF<?xml version="1.0"?>\n<!-- drawn -->\n<!DOCTYPE svg PUBLIC "a" "b" [ <!ENTITY x "y"> ]>\n${svg}`,
    ],
    ['image/svg+xml', '<svg:svg xmlns:svg="http://www.w3.org/2000/svg"/>'],
    ['text/html', '  <!doctype html><p>Hi'],
    ['text/html', '<!-- made by hand --><HTML >'],
    ['text/html', '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">'],
    ['text/html', '<script>alert(1)</script>'],
    ['application/xml', '<?xml version="1.0"?><rss/>'],
    ['text/plain', '# Title\n\nBMW, GIF and <svg'],
    ['text/plain', ''],
    ['application/octet-stream', latin1('\xff\xfe\0\x01')],
    ['application/octet-stream', 'text with a \0 in it'],
  ])('%s', (type, bytes) => {
    expect(mediaTypeOf(Buffer.from(bytes))).toBe(type);
  });

  test('is text even if the last character is incomplete', () => {
    expect(mediaTypeOf(Buffer.from('naïve€').subarray(0, -1))).toBe('text/plain');
  });
});

describe('the media type of a named file', () => {
  test.each([
    ['text/plain', 'Guide.MD', 'text/markdown'],
    ['text/plain', 'data.json', 'application/json'],
    ['text/plain', 'notes', 'text/plain'],
    ['text/plain', 'picture.png', 'text/plain'],
    ['text/plain', 'picture.svg', 'text/plain'],
    ['text/plain', 'x.constructor', 'text/plain'],
    ['text/html', 'README.md', 'text/markdown'],
    ['text/html', 'picture.png', 'text/html'],
    ['application/zip', 'report.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    ['image/png', 'page.html', 'image/png'],
    ['application/octet-stream', 'page.html', 'application/octet-stream'],
  ])('%s as %s is %s', (proven, name, type) => {
    expect(namedMediaType(proven, name)).toBe(type);
  });
});

describe('the dimensions of an image', () => {
  test.each([
    ['image/png', png(640, 480)],
    ['image/gif', gif(640, 480)],
    ['image/webp', webp(640, 480)],
    ['image/avif', avif(640, 480)],
    ['image/jpeg', jpeg(640, 480)],
    ['image/jpeg', jpeg(480, 640, { orientation: 6 })],
    ['image/jpeg', jpeg(640, 480, { padding: 300_000 })],
    ['image/svg+xml', '<svg viewBox="0 0 640 480"></svg>'],
    ['image/svg+xml', '<?xml version="1.0"?><svg width="640px" height="480px"></svg>'],
  ])('are detected: %s', (type, bytes) => {
    expect(imageDimensions(type, Buffer.from(bytes))).toEqual({ width: 640, height: 480 });
  });

  test.each([
    ['image/png', png(0, 480)],
    ['image/png', png(2 ** 32 - 1, 480)],
    ['image/jpeg', latin1('\xff\xd8\xff\xe0')],
    ['image/svg+xml', '<svg width="100%" height="100%"></svg>'],
    ['image/avif', latin1('\0\0\0\x18ftypavif')],
    ['text/plain', png(1, 1)],
    ['image/png', ''],
  ])('are undefined if the bytes do not contain them: %s', (type, bytes) => {
    expect(imageDimensions(type, Buffer.from(bytes))).toBeUndefined();
  });

  test('cost little on an image that was made to be slow', async () => {
    const sizes = (count: number) => Buffer.concat(Array.from({ length: count }, () => box('ispe', Buffer.alloc(12))));
    const slow: [type: string, bytesOf: (count: number) => Buffer, count: number][] = [
      ['image/avif', (count) => box('meta', Buffer.alloc(4), box('iprp', box('ipco', sizes(count)))), 1_500],
      ['image/svg+xml', (count) => Buffer.from('<svg '.repeat(count)), 200_000],
      ['image/jpeg', (count) => Buffer.concat([latin1('\xff\xd8\xff\xe0'), Buffer.alloc(count)]), 1_000_000],
    ];
    for (const [type, bytesOf, count] of slow) {
      await expectLinear((bytes: Buffer) => imageDimensions(type, bytes), bytesOf, count / 4);
    }
  });
});
