import { decode, encode } from 'fast-png';
import { expect, test } from 'vitest';
import { printableImage } from '../../../src/lib/pdf/printable-image.ts';

/** A PNG with pixels of one color. */
function pngOf(width: number, height: number, pixel: readonly number[]): Buffer {
  const data = new Uint8Array(width * height * pixel.length);
  for (let at = 0; at < data.length; at += 1) data[at] = pixel[at % pixel.length] ?? 0;
  return Buffer.from(encode({ width, height, data, channels: pixel.length, depth: 8 }));
}

const printable = (bytes: Buffer) => decode(printableImage(bytes) ?? expect.fail('It can be read.'));

test('an image that is larger than a sheet can show is scaled down in proportion', () => {
  const { width, height, channels, data } = printable(pngOf(4_200, 900, [10, 200, 30]));
  expect([width, height, channels]).toEqual([1_400, 300, 3]);
  expect([...data.slice(0, 3)]).toEqual([10, 200, 30]);
});

test('transparency stays where it is used, and goes where it is not', () => {
  const opaque = printable(pngOf(40, 30, [1, 2, 3, 255]));
  expect([opaque.width, opaque.height, opaque.channels]).toEqual([40, 30, 3]);
  const clear = printable(pngOf(40, 30, [1, 2, 3, 128]));
  expect([clear.channels, ...clear.data.slice(0, 4)]).toEqual([4, 1, 2, 3, 128]);
  expect(printable(pngOf(40, 30, [7, 255])).channels).toBe(1);
});

test('other images are written as they are', () => {
  const small = pngOf(40, 30, [1, 2, 3]);
  expect(printableImage(small)).toBe(small);
  const jpeg = Buffer.from('ffd8ffe0', 'hex');
  expect(printableImage(jpeg)).toBe(jpeg);
});

test('a damaged image and one of too many pixels are not printable', () => {
  const whole = pngOf(400, 300, [1, 2, 3, 4]);
  expect(printableImage(whole.subarray(0, whole.length - 40))).toBeUndefined();
  expect(printableImage(whole.subarray(0, 20))).toBeUndefined();
  const bomb = Buffer.from(whole);
  bomb.writeUInt32BE(60_000, 16);
  bomb.writeUInt32BE(60_000, 20);
  expect(printableImage(bomb)).toBeUndefined();
});
