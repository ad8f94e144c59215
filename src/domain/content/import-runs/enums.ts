import type { z } from 'zod';
import { namedEnum } from '../../../platform/shapes/named-enum.ts';

const STATUSES = {
  pending: 'Queued.',
  'in-progress': 'Reading the source or writing the content.',
  completed: 'The content was written.',
  failed: 'Failed. Nothing was written. See `reason`.',
  cancelled: 'Cancelled by a user. Nothing was written.',
};

export const importRunStatus = namedEnum(
  'ImportRunStatus',
  'Progress of an import run, from the queue to its result.',
  STATUSES,
);

export const importRunFilter = namedEnum('ImportRunFilter', 'Filters import runs by status.', {
  active: 'Pending or in progress.',
  ...STATUSES,
});

export const importRunSourceType = namedEnum(
  'ImportRunSourceType',
  'Whether an import run reads a website or uploaded files.',
  {
    website: 'The pages of a website.',
    file: 'Uploaded files.',
  },
);

export type ImportRunStatus = z.infer<typeof importRunStatus>;
export type ImportRunFilter = z.infer<typeof importRunFilter>;
