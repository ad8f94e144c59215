import { z } from 'zod';
import { query } from '../../../platform/operation/operation.ts';
import { embeddable, embedOf } from './embed-of.ts';

export const getEmbed = query({
  name: 'getEmbed',
  description:
    'Gets a card or frame to display for a URL: a card with a link, or a frame if the service at the URL offers one. If the URL does not respond, the card is made only from the URL.',
  input: z.object({ url: embeddable }),
  run: (ctx, { url }) => embedOf(ctx, url),
});
