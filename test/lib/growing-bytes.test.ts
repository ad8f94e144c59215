import fc from 'fast-check';
import { expect, test } from 'vitest';
import { GrowingBytes } from '../../src/lib/growing-bytes.ts';

const piece = fc.uint8Array({ minLength: 1, maxLength: 20_000 });

test('the bytes are those of the pieces, whatever was declared, and at most eight times as much memory is reserved', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), fc.nat(500_000), (pieces, declared) => {
      const reserved: number[] = [];
      const bytes = new GrowingBytes(400_000, (more) => reserved.push(more) > 0, declared);
      for (const each of pieces) expect(bytes.add(Buffer.from(each))).toBe(true);
      expect(bytes.bytes).toEqual(Buffer.concat(pieces));
      const total = reserved.reduce((sum, more) => sum + more, 0);
      expect(total).toBeLessThanOrEqual(Math.min(400_000, Math.max(4_096, 8 * bytes.length)));
    }),
  );
});

test('memory for what is declared is reserved at once when an eighth of it has arrived, and not before', () => {
  const reserved: number[] = [];
  const bytes = new GrowingBytes(10_000_000, (more) => reserved.push(more) > 0, 8_000_000);
  bytes.add(Buffer.alloc(900_000));
  expect(reserved).toEqual([900_000]);
  for (let each = 0; each < 71; each++) bytes.add(Buffer.alloc(100_000));
  expect(reserved).toEqual([900_000, 7_100_000]);
});

test('without memory, a piece is not taken', () => {
  const bytes = new GrowingBytes(100_000, (more) => more < 50_000, 0);
  expect([bytes.add(Buffer.alloc(10)), bytes.add(Buffer.alloc(60_000)), bytes.length]).toEqual([true, false, 10]);
});
