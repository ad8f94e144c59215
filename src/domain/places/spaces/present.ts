import type { Context } from '../../../platform/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { present, shapeOf } from '../../../platform/resource/rest.ts';
import { space } from './resources.ts';

export const presentSpace = (row: Row<'space'>, ctx: Context) => present(space, row, ctx);
export const spaceShape = shapeOf(space);
