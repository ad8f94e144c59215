import { namedEnum } from '../../../platform/named-enum.ts';

const STATUSES = {
  draft: 'Being written; not offered for review yet.',
  open: 'Offered for review.',
  archived: 'Given up. It can be taken up again.',
  merged: 'Its changes are in the primary content.',
} as const;

export const changeRequestStatus = namedEnum('ChangeRequestStatus', 'Where a change request stands.', STATUSES);

const { merged: _, ...SETTABLE } = STATUSES;

/** What PATCH takes (docs/decisions.md, States): only merging makes one merged. */
export const settableChangeRequestStatus = namedEnum(
  'ChangeRequestSettableStatus',
  'What the status of a change request can be set to.',
  SETTABLE,
);

export const changeRequestStatusFilter = namedEnum('ChangeRequestStatusFilter', 'Which change requests to list.', {
  ...STATUSES,
  all: 'Whatever their status.',
});
