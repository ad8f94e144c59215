/**
 * Converts PostgreSQL's text of a `timestamptz(3)` in a UTC session (`2026-01-31 10:00:00.5+00`) to ISO 8601 with
 * milliseconds. Works on strings, since parsing dates took half of the time of large reads.
 */
export function timeFromPostgres(text: string): string {
  const fraction = text.indexOf('.');
  const seconds = text.slice(11, 19);
  const digits = fraction === -1 ? '' : text.slice(fraction + 1, text.indexOf('+', fraction));
  return `${text.slice(0, 10)}T${seconds}.${digits.padEnd(3, '0')}Z`;
}
