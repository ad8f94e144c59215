import { sql } from 'kysely';
import type { DenseRows } from '../../../lib/grouping/dense.ts';
import type { Database } from '../../../platform/database/tables.ts';

/** Issues of one statement. */
const ISSUES_PER_STATEMENT = 500;

/**
 * The vectors of issues by a model, in their order; zeros for issues without text. Null unless the model has given one
 * for each issue, all of the same length.
 */
export async function readVectors(db: Database, issueIds: readonly string[], model: string): Promise<DenseRows | null> {
  let rows: DenseRows = { width: 0, at: new Float32Array() };
  for (let start = 0; start < issueIds.length; start += ISSUES_PER_STATEMENT) {
    const ids = issueIds.slice(start, start + ISSUES_PER_STATEMENT);
    const { rows: vectors } = await sql<{ id: string; numbers: Buffer }>`
      select i.id, array_send(i.embedding) as numbers from conversation_issue i
      where i.id = any(${ids}::text[]) and i.embedding_model = ${model}`.execute(db);
    const byId = new Map(vectors.map(({ id, numbers }) => [id, numbers]));
    for (const [index, id] of ids.entries()) {
      const numbers = byId.get(id);
      if (!numbers) return null;
      const width = lengthOf(numbers);
      if (width === 0) continue;
      if (rows.width === 0) rows = { width, at: new Float32Array(width * issueIds.length) };
      if (width !== rows.width) return null;
      copy(numbers, rows.at.subarray((start + index) * width, (start + index + 1) * width));
    }
  }
  return rows;
}

/**
 * `array_send` writes the number of dimensions, flags and the type, then the length and the lower bound of each
 * dimension, and each element after its size, all as big-endian integers of 4 bytes.
 */
const HEADER_BYTES = 20;
const SIZE_BYTES = 4;

const lengthOf = (numbers: Buffer) => (numbers.readInt32BE(0) === 0 ? 0 : numbers.readInt32BE(12));

function copy(numbers: Buffer, target: Float32Array): void {
  for (let index = 0; index < target.length; index++) {
    target[index] = numbers.readFloatBE(HEADER_BYTES + index * (SIZE_BYTES + 4) + SIZE_BYTES);
  }
}
