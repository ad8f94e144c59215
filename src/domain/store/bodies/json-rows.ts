import { type RawBuilder, sql } from 'kysely';

const [OPEN, COMMA, CLOSE] = ['[', ',', ']'].map((sign) => Buffer.from(sign)) as [Buffer, Buffer, Buffer]; // as many

/**
 * Rows in JSON as one parameter for `json_to_recordset`. It is sent as bytes, so that large rows never are strings,
 * which the garbage collector keeps for long.
 */
export function jsonRows(rows: readonly Buffer[]): RawBuilder<unknown> {
  const parts = rows.flatMap((row, index) => (index === 0 ? [row] : [COMMA, row]));
  return sql`convert_from(${Buffer.concat([OPEN, ...parts, CLOSE])}::bytea, 'UTF8')::json`;
}
