import { registerNode } from '../../../platform/graphql/node.ts';
import { typeOf } from '../../../platform/graphql/resource-type.ts';
import { loadTeam } from './load.ts';
import { team } from './resources.ts';

export const TeamType = typeOf(team);

registerNode(TeamType, 'team', loadTeam);
