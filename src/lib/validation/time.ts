import { z } from 'zod';

const OUT_OF_RANGE = 'must be in the years 0001 to 9999';

/**
 * A time with any offset (ISO 8601). It is normalized to UTC with milliseconds, so that times can be compared as texts.
 * PostgreSQL can store it: its year in UTC is 0001 to 9999. `abort` skips the later checks, which need a time.
 */
export const isoTime = z.iso
  .datetime({ offset: true, error: 'must be a time such as 2026-01-31T10:00:00Z (ISO 8601)', abort: true })
  .refine(isStorable, { error: `${OUT_OF_RANGE}, in UTC`, abort: true })
  .overwrite((value) => new Date(value).toISOString());

/** A day such as `2026-01-31`. PostgreSQL can store it. */
export const isoDay = z.iso
  .date({ error: 'must be a day such as 2026-01-31', abort: true })
  .refine(isStorable, { error: OUT_OF_RANGE });

function isStorable(value: string): boolean {
  const year = new Date(value).getUTCFullYear();
  return year >= 1 && year <= 9_999;
}

/** A day, which stands for its midnight in UTC, or a time. Both are normalized like `isoTime`. */
export const dayOrTime = z.union([isoDay.overwrite((value) => new Date(value).toISOString()), isoTime]);
