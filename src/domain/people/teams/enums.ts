import { namedEnum } from '../../../platform/shapes/named-enum.ts';

export const teamRole = namedEnum('TeamRole', 'Role of a member in a team.', {
  owner: 'Can rename the team and change its members.',
  member: 'Belongs to the team.',
});
