import type { Context } from '../../../platform/context.ts';
import { present, shapeOf } from '../../../platform/resource/rest.ts';
import type { MemberRow } from './load.ts';
import { member } from './resources.ts';

export const presentMember = (row: MemberRow, ctx: Context) => present(member, row, ctx);
export const memberShape = shapeOf(member);
