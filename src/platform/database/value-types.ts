import pg from 'pg';
import { timeFromPostgres } from './time.ts';

const PARSERS: Record<number, (text: string) => unknown> = {
  // bigint, used for counts and sizes far below 2^53.
  20: Number,
  1184: timeFromPostgres,
};

/** The parser for values of a PostgreSQL type, by the type's OID. */
export function getTypeParser(oid: number, format?: 'text' | 'binary') {
  return (format !== 'binary' && PARSERS[oid]) || pg.types.getTypeParser(oid, format);
}
