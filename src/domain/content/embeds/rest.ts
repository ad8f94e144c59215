import { z } from 'zod';
import { type Route, route } from '../../../platform/http/route.ts';
import { namedShape } from '../../../platform/shapes/shapes.ts';
import { getEmbed } from './get-embed.ts';
import { getSpaceEmbed } from './get-space-embed.ts';
import type { Embed } from './unfurl.ts';

const embedShape = namedShape('Embed', 'A card or frame to display for a URL.', {
  type: z.enum(['link', 'rich']).describe('`link` is a card with a link, `rich` a frame.'),
  title: z.string().describe('Title of the linked page.'),
  site: z.string().describe('Name of the site.'),
  icon: z.string().optional().describe('URL of the icon of the site.'),
  html: z.string().optional().describe('For `rich`: a single sandboxed `iframe` with an HTTPS URL.'),
});

const presentation = { shape: embedShape, present: (embed: Embed) => embed };

export const embedRoutes: Route[] = [
  route('GET', '/v1/spaces/:spaceId/embed', getSpaceEmbed, { operationId: 'getEmbedByUrlInSpace', ...presentation }),
  route('GET', '/v1/urls/embed', getEmbed, { operationId: 'getEmbedByUrl', ...presentation }),
];
