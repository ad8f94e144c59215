import { z } from 'zod';
import { type Route, route } from '../../../platform/http/route.ts';
import { namedShape } from '../../../platform/shapes.ts';
import { getEmbed } from './get-embed.ts';
import { getSpaceEmbed } from './get-space-embed.ts';
import type { Embed } from './unfurl.ts';

const embedShape = namedShape('Embed', 'What to show in the place of an address.', {
  type: z.enum(['link', 'rich']).describe('A card that leads there, or a frame.'),
  title: z.string().describe('What is there.'),
  site: z.string().describe('Where that is.'),
  icon: z.string().optional().describe('Address of the icon of the site.'),
  html: z.string().optional().describe('Of `rich`: one sandboxed `iframe`, whose address is by https.'),
});

const shown = { shape: embedShape, present: (embed: Embed) => embed };

export const embedRoutes: Route[] = [
  route('GET', '/v1/spaces/:spaceId/embed', getSpaceEmbed, { operationId: 'getEmbedByUrlInSpace', ...shown }),
  route('GET', '/v1/urls/embed', getEmbed, { operationId: 'getEmbedByUrl', ...shown }),
];
