import fc from 'fast-check';
import { expect, test } from 'vitest';
import { WorkExceeded } from '../../../src/platform/heavy-work/work-exceeded.ts';

test.each([
  [WorkExceeded.time(80_159.99554350006), 'it took longer than 80 seconds'],
  [WorkExceeded.time(1_000), 'it took longer than 1 second'],
  [WorkExceeded.time(300), 'it took longer than 0.3 seconds'],
  [WorkExceeded.time(900_000), 'it took longer than 15 minutes'],
  [WorkExceeded.memory(435.2), 'it took more than 435 MB of memory'],
  [WorkExceeded.output(200_000_000), 'it has more than 200 MB'],
])('%s', ({ message }, expected) => expect(message).toBe(expected));

test('every limit is a number that a person reads', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1e10, noNaN: true }), (value) => {
      for (const { message } of [WorkExceeded.time(value), WorkExceeded.memory(value), WorkExceeded.output(value)])
        expect(message).toMatch(/^[a-z ]+ \d+(?:\.\d)? [A-Za-z ]+$/);
    }),
  );
});
