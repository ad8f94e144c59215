import { builder } from '../../../platform/graphql/builder.ts';
import { connection } from '../../../platform/graphql/connection.ts';
import { enumType } from '../../../platform/graphql/enums.ts';
import { NOTHING } from '../../../platform/paging/page.ts';
import { role } from '../../people/access/index.ts';
import { MemberType } from '../../people/members/graphql.ts';
import { SpaceType } from '../spaces/graphql.ts';
import { listMemberSpaces, spacesOfMember } from './list-member-spaces.ts';

builder.objectFields(MemberType, (t) => ({
  spaces: connection(t, {
    type: SpaceType,
    operation: listMemberSpaces,
    without: ['organizationId', 'userId'],
    from: ({ organizationId, userId }) => ({ organizationId, userId }),
    list: ({ id, hidesDetails }, args, ctx) => (hidesDetails ? NOTHING : spacesOfMember(ctx, id, args)),
    edges: {
      name: 'MemberSpace',
      fields: {
        permission: {
          type: enumType(role),
          description: 'Role of the member on the space.',
          resolve: (row) => row.permission,
        },
      },
    },
  }),
}));
