import { inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Coverage, type Stroke } from '../../src/lib/raster/coverage.ts';
import { pngOf } from '../../src/lib/raster/png.ts';

const rectangle = (left: number, top: number, right: number, bottom: number): Stroke[] => [
  { command: 'moveTo', args: [left, -top] },
  { command: 'lineTo', args: [right, -top] },
  { command: 'lineTo', args: [right, -bottom] },
  { command: 'lineTo', args: [left, -bottom] },
  { command: 'closePath', args: [] },
];

const side = fc.double({ min: 0, max: 12, noNaN: true });

test('a rectangle covers of each pixel the share that it has of it', () => {
  fc.assert(
    fc.property(side, side, side, side, (a, b, c, d) => {
      const [left, right] = [Math.min(a, b), Math.max(a, b)];
      const [top, bottom] = [Math.min(c, d), Math.max(c, d)];
      const coverage = new Coverage(10, 10);
      coverage.fill(rectangle(left, top, right, bottom), { x: 0, y: 0, scale: 1 });
      const shared = (from: number, to: number, at: number) => Math.max(0, Math.min(to, at + 1) - Math.max(from, at));
      for (const [row, shares] of [...coverage.rows()].entries()) {
        for (const [column, share] of shares.entries()) {
          expect(share).toBeCloseTo(shared(left, right, column) * shared(top, bottom, row), 4);
        }
      }
    }),
    { numRuns: 60 },
  );
});

test('a circle of curves has its area', () => {
  const k = 0.5523 * 40;
  const coverage = new Coverage(100, 100);
  const circle: Stroke[] = [
    { command: 'moveTo', args: [40, 0] },
    { command: 'bezierCurveTo', args: [40, k, k, 40, 0, 40] },
    { command: 'bezierCurveTo', args: [-k, 40, -40, k, -40, 0] },
    { command: 'bezierCurveTo', args: [-40, -k, -k, -40, 0, -40] },
    { command: 'bezierCurveTo', args: [k, -40, 40, -k, 40, 0] },
    { command: 'closePath', args: [] },
  ];
  coverage.fill(circle, { x: 50, y: 50, scale: 1 });
  const area = [...coverage.rows()].reduce((sum, shares) => sum + shares.reduce((all, share) => all + share, 0), 0);
  expect(Math.abs(area / (Math.PI * 1_600) - 1)).toBeLessThan(0.01);
});

test('a PNG has its pixels', () => {
  const rows = [Uint8Array.from([0, 1, 2]), Uint8Array.from([2, 1, 0])];
  const png = Buffer.from(
    pngOf({
      width: 3,
      rows,
      palette: [
        [0, 0, 0],
        [255, 0, 0],
        [255, 255, 255],
      ],
    }),
  );
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  const at = png.indexOf('IDAT');
  const data = png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4));
  expect([...inflateSync(data)]).toEqual([0, 0, 1, 2, 0, 2, 1, 0]);
});
