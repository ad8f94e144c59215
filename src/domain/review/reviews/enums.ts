import type { z } from 'zod';
import { namedEnum } from '../../../platform/named-enum.ts';

export const reviewStatus = namedEnum('ReviewStatus', 'What a reviewer thinks of a change request.', {
  approved: 'It may be merged as it is.',
  'changes-requested': 'It should be changed first.',
});

export type ReviewStatus = z.infer<typeof reviewStatus>;
