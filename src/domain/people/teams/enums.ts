import { namedEnum } from '../../../platform/shapes/named-enum.ts';

export const teamRole = namedEnum('TeamRole', 'Role of a member in a team.', {
  owner: 'Can rename the team and change its members.',
  member: 'Belongs to the team.',
});

export const teamOrderField = namedEnum('TeamOrderField', 'Field that lists of teams are sorted by.', {
  title: 'The name, ignoring case.',
  createdAt: 'Time of creation.',
});
