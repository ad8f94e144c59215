import type { Context } from '../../../platform/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { present, shapeOf } from '../../../platform/resource/rest.ts';
import { collection } from './resources.ts';

export const presentCollection = (row: Row<'collection'>, ctx: Context) => present(collection, row, ctx);
export const collectionShape = shapeOf(collection);
