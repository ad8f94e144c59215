import { z } from 'zod';
import { countIn } from '../../../platform/shapes.ts';
import { outcome, severity } from './enums.ts';

/** What an import says of what it did, beside how much it took. */
export const reportMembers = {
  keptCount: countIn('How often something could not be taken as it is meant and stays as it was written.'),
  changedCount: countIn('How often something is there in another form.'),
  droppedCount: countIn('How often something was left out.'),
  report: z
    .array(
      z.object({
        severity: severity.describe('How much it matters.'),
        outcome: outcome.describe('What became of it.'),
        file: z.string().describe('Path of the file inside the archive, or the address of the page.'),
        line: z.int().optional().describe('The line in it, from 1.'),
        message: z.string().describe('What it is about, and what was done.'),
      }),
    )
    .describe('What was not taken as it is; at most 1,000 entries.'),
};
