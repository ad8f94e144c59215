import { isoTime } from '../../lib/validation/time.ts';

/** A time that a client sends: `isoTime`, which is a `DateTime` in the graph. */
export const timeInput = isoTime.meta({ scalar: 'DateTime' });
