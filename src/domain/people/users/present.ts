import type { Context } from '../../../platform/context.ts';
import { present, shapeOf } from '../../../platform/resource/rest.ts';
import type { VisibleUser } from './load.ts';
import { user } from './resources.ts';

export const presentUser = (row: VisibleUser, ctx: Context) => present(user, row, ctx);
export const userShape = shapeOf(user);
