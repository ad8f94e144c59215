import { registerNode } from '../../../platform/graphql/node.ts';
import { typeOf } from '../../../platform/graphql/resource-type.ts';
import { loadMember } from './load.ts';
import { member } from './resources.ts';

export const MemberType = typeOf(member);

registerNode(MemberType, 'member', loadMember);
