import { z } from 'zod';

/** The input of commands that can be tried. */
export const dryRun = z
  .boolean()
  .nullish()
  .describe(
    'Whether to only try the command: its checks and errors are the same, and `preview` shows what it would change, but nothing is written. Ignores the idempotency key. Default: false.',
  );
