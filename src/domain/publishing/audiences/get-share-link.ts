import { z } from 'zod';
import { query } from '../../../platform/operation/operation.ts';
import { shareLinkFor, shareLinkNameOf } from './load.ts';
import { shareLinkName } from './settings.ts';

export const getShareLink = query({
  name: 'getShareLink',
  scope: 'publish',
  description: 'Gets a share link of a site, with its URL.',
  input: z.object(shareLinkName),
  authorize: (ctx, ids) => shareLinkFor(ctx, shareLinkNameOf(ids)),
  run: shareLinkFor,
});
