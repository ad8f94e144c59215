import { createHash, hash } from 'node:crypto';
import type { Manifest, TableTotals } from './format.ts';

/** Running totals of rows. */
export interface RowTally {
  add(chunk: Buffer): void;
  totals(): TableTotals;
}

const NEWLINE = 10;

/**
 * Counts and hashes rows in the text format of COPY, in which every newline ends a row. Besides the hash of the bytes,
 * it computes the sum of the hashes of the rows, lane by lane modulo 2³², so that tables can be compared regardless of
 * the order of their rows.
 */
export function rowTally(): RowTally {
  const sha256 = createHash('sha256');
  const sums = new Uint32Array(8);
  let rows = 0;
  let bytes = 0;
  let rest: Buffer = Buffer.alloc(0);

  const addRow = (row: Buffer) => {
    const digest = hash('sha256', row, 'buffer');
    for (let lane = 0; lane < sums.length; lane++) {
      sums[lane] = ((sums[lane] ?? 0) + digest.readUInt32LE(lane * 4)) >>> 0;
    }
    rows++;
  };
  return {
    add(chunk) {
      sha256.update(chunk);
      bytes += chunk.length;
      const text = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      let start = 0;
      for (let end = text.indexOf(NEWLINE); end !== -1; end = text.indexOf(NEWLINE, start)) {
        addRow(text.subarray(start, end));
        start = end + 1;
      }
      rest = text.subarray(start);
    },
    totals() {
      if (rest.length > 0) addRow(rest);
      return { rows, bytes, sha256: sha256.digest('hex'), rowsHash: Buffer.from(sums.buffer).toString('hex') };
    },
  };
}

/** Running totals of the names and sizes of files. */
export function blobTally(): { add(name: string, size: number): void; totals(): Manifest['blobs'] } {
  const names = createHash('sha256');
  let count = 0;
  let bytes = 0;
  return {
    add(name, size) {
      names.update(name);
      count++;
      bytes += size;
    },
    totals: () => ({ count, bytes, sha256: names.digest('hex') }),
  };
}
