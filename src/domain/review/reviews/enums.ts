import type { z } from 'zod';
import { namedEnum } from '../../../platform/shapes/named-enum.ts';

export const reviewStatus = namedEnum('ReviewStatus', 'Verdict of a review.', {
  approved: 'The reviewer approves the change request.',
  'changes-requested': 'The reviewer requests changes before the change request is merged.',
});

export type ReviewStatus = z.infer<typeof reviewStatus>;
