import { resource } from '../../../platform/resource/resource.ts';
import { role } from '../../people/access/index.ts';
import { space } from '../spaces/index.ts';
import type { MemberSpaceRow } from './list-member-spaces.ts';

/** A space of a member in REST. In the graph, the role is a field of the edge. */
export const memberSpace = resource<MemberSpaceRow>(
  { name: 'MemberContentPermission', description: 'A space that a member can read, with the role of the member.' },
  (f) => ({
    permission: f.enum(role)('Role of the member on the space.', ({ permission }) => permission),
    space: f.object(() => space)('The space.', (row) => row),
  }),
);
