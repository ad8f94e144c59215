import { z } from 'zod';

const OUT_OF_RANGE = 'must be in the years 0001 to 9999';

/** `abort` skips the later checks, which need a time. */
const isoTime = z.iso
  .datetime({ offset: true, error: 'must be a time such as 2026-01-31T10:00:00Z (ISO 8601)', abort: true })
  .refine(isStorable, { error: `${OUT_OF_RANGE}, in UTC`, abort: true })
  .overwrite((value) => new Date(value).toISOString());

/**
 * A time that a client sends, with any offset. It is normalized to UTC with milliseconds, so that it can be compared as
 * text with the times of the database. The database can store it: its year in UTC is 0001 to 9999.
 */
export const time = isoTime.meta({ scalar: 'DateTime' });

/** `time` for inputs that are a `String` in the graph. */
export const timeAsText = isoTime;

/** A day that a client sends. The database can store it. */
export const day = z.iso
  .date({ error: 'must be a day such as 2026-01-31', abort: true })
  .refine(isStorable, { error: OUT_OF_RANGE });

function isStorable(value: string): boolean {
  const year = new Date(value).getUTCFullYear();
  return year >= 1 && year <= 9_999;
}
