import { builder } from '../../../platform/graphql/builder.ts';
import { enumType } from '../../../platform/graphql/enums.ts';
import { registerNode } from '../../../platform/graphql/node.ts';
import { role } from '../access/index.ts';
import { UserType } from '../users/graphql.ts';
import { loadUser } from '../users/index.ts';
import { loadMember, type MemberRow } from './load.ts';

export const MemberType = builder.objectRef<MemberRow>('Member').implement({
  description: 'A user in an organization.',
  fields: (t) => ({
    userId: t.id({ description: "The user's id, which REST has for the member.", resolve: (member) => member.userId }),
    user: t.field({
      type: UserType,
      nullable: true,
      description: 'The person; null once the account is gone.',
      resolve: (member, _args, ctx) => loadUser(ctx, member.userId),
    }),
    role: t.field({
      type: enumType(role),
      nullable: true,
      description: 'The role in the organization; null for a guest, who sees only what is granted.',
      // A membership never has the role `none`.
      resolve: (member) => (member.role === 'none' ? null : member.role),
    }),
    disabled: t.exposeBoolean('isDisabled', { description: 'Whether all access of theirs is stopped.' }),
    sso: t.exposeBoolean('isSso', { description: 'Whether they sign in by SSO.' }),
    joinedAt: t.expose('joinedAt', { type: 'DateTime', description: 'When they joined.' }),
    lastSeenAt: t.expose('lastSeenAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When they were last seen; null when they never were.',
    }),
  }),
});

registerNode(MemberType, 'member', loadMember);
