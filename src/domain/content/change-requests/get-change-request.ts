import { z } from 'zod';
import { idOf, query } from '../../../platform/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { changeRequestFor } from './access.ts';

const needed = permissions.getChangeRequest.space;

/** How an operation names a change request; REST's path has the space, and takes the number as well. */
export const changeRequestName = {
  changeRequestId: idOf('cr').describe('The change request: its id or, together with the space, its number.'),
  spaceId: idOf('space').nullish().describe('The space that it must belong to.'),
};

export const getChangeRequest = query({
  name: 'getChangeRequest',
  description: 'A change request by id.',
  input: z.object(changeRequestName),
  authorize: (ctx, { changeRequestId = '', spaceId }) =>
    changeRequestFor(ctx, changeRequestId, needed, { spaceId: spaceId || null }),
  run: (ctx, { changeRequestId, spaceId }) => changeRequestFor(ctx, changeRequestId, needed, { spaceId }),
});
