import { z } from 'zod';
import { idOf, query } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { authorizeChangeRequest, changeRequestFor } from './access.ts';

const needed = permissions.getChangeRequest.space;

/** Input fields that name a change request. REST paths include the space, so they accept the number too. */
export const changeRequestName = {
  changeRequestId: idOf('cr').describe('ID of the change request or, if `spaceId` is given, its number.'),
  spaceId: idOf('space').nullish().describe('ID of the space that the change request must belong to.'),
};

export const getChangeRequest = query({
  name: 'getChangeRequest',
  description: 'Gets a change request by its ID.',
  openToPreviews: true,
  input: z.object(changeRequestName),
  authorize: authorizeChangeRequest(needed, { openToPreviews: true }),
  run: (ctx, { changeRequestId, spaceId }) =>
    changeRequestFor(ctx, changeRequestId, needed, { spaceId, openToPreviews: true }),
});
