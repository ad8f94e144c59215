import { z } from 'zod';
import { query } from '../../../platform/operation.ts';
import { embedOf } from './embed-of.ts';
import { embeddable } from './embeddable.ts';

export const getEmbed = query({
  name: 'getEmbed',
  description:
    'What to show in the place of an address: a card that leads there, or a frame where the service behind it offers one. An address that does not answer gets a card made of itself.',
  input: z.object({ url: embeddable }),
  run: (ctx, { url }) => embedOf(ctx, url),
});
