import type { Context } from '../../../platform/context.ts';
import { present, shapeOf } from '../../../platform/resource/rest.ts';
import type { ChangeRequestRow } from './access.ts';
import { changeRequest } from './resources.ts';

export const presentChangeRequest = (row: ChangeRequestRow, ctx: Context) => present(changeRequest, row, ctx);
export const changeRequestShape = shapeOf(changeRequest);
