import { namedEnum } from '../../../platform/shapes/named-enum.ts';

const STATUSES = {
  draft: 'In progress, not yet ready for review.',
  open: 'Ready for review.',
  archived: 'Closed without merging. Can be reopened.',
  merged: 'Merged into the primary content of the space.',
} as const;

export const changeRequestStatus = namedEnum(
  'ChangeRequestStatus',
  'State of a change request, from draft to merged.',
  STATUSES,
);

const { merged: _, ...SETTABLE } = STATUSES;

/** The statuses that an update can set. `merged` is set only by merging. */
export const settableChangeRequestStatus = namedEnum(
  'ChangeRequestSettableStatus',
  'Status that a change request can be set to. Only merging sets the status to merged.',
  SETTABLE,
);

export const changeRequestStatusFilter = namedEnum('ChangeRequestStatusFilter', 'Filters change requests by status.', {
  ...STATUSES,
  all: 'Change requests of any status.',
});
