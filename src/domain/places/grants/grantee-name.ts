import { badInput } from '../../../platform/errors/errors.ts';
import { idOf } from '../../../platform/operation/operation.ts';

/** Input fields that name a user or a team. */
export const granteeName = {
  userId: idOf('user').nullish().describe('ID of the user. Specify either `userId` or `teamId`.'),
  teamId: idOf('team').nullish().describe('ID of the team. Specify either `userId` or `teamId`.'),
};

export interface GranteeName {
  userId?: string | null | undefined;
  teamId?: string | null | undefined;
}

/** The id of the user or team. BAD_USER_INPUT unless exactly one is named. */
export function granteeOf({ userId, teamId }: GranteeName): string {
  const granteeId = userId ?? teamId;
  if (granteeId == null || (userId != null && teamId != null)) {
    throw badInput([userId == null ? 'userId' : 'teamId'], 'Specify either `userId` or `teamId`.', 'ONE_OF');
  }
  return granteeId;
}
