import type { z } from 'zod';
import { namedEnum } from '../../../platform/named-enum.ts';

const STATUSES = {
  pending: 'It waits for its turn.',
  'in-progress': 'It reads its source, or writes.',
  completed: 'Everything was written.',
  failed: 'Nothing was written; `reason` says why.',
  cancelled: 'Somebody ended it; nothing was written.',
};

export const importRunStatus = namedEnum('ImportRunStatus', 'How far an import run is.', STATUSES);

export const importRunFilter = namedEnum('ImportRunFilter', 'Which import runs, by how far they are.', {
  active: 'Those that are pending or in progress.',
  ...STATUSES,
});

export const importRunSourceType = namedEnum('ImportRunSourceType', 'What an import run reads.', {
  website: 'A site.',
  file: 'Some uploads.',
});

export type ImportRunStatus = z.infer<typeof importRunStatus>;
export type ImportRunFilter = z.infer<typeof importRunFilter>;
