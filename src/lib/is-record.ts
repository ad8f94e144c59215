/** Whether a value is an object and no list. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value if it is a record, or else an empty one, for reading members of values that have not been validated. */
export const recordOf = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {});
