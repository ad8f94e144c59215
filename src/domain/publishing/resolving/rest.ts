import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { type Route, resourceResponse, route } from '../../../platform/http/route.ts';
import { present, shapeOf } from '../../../platform/resource/rest.ts';
import { getContentByUrl } from './get-content-by-url.ts';
import { getPublishedContent, type PublishedContent, type PublishedRedirect } from './get-published-content.ts';
import { contentAtUrl, publishedContent, publishedRedirect } from './resources.ts';

const lookedUp = {
  mayBeAbsent: true as const,
  shape: () => z.union([shapeOf(publishedContent), shapeOf(publishedRedirect)]),
  present: (result: PublishedContent | PublishedRedirect, ctx: Context) =>
    'redirect' in result ? present(publishedRedirect, result, ctx) : present(publishedContent, result, ctx),
};

const { visitor: _visitor, ...withoutVisitor } = getPublishedContent.input.shape;

export const resolvingRoutes: Route[] = [
  route('POST', '/v1/urls/published', getPublishedContent, {
    operationId: 'resolvePublishedContentByUrl',
    status: 200,
    ...lookedUp,
  }),
  route('GET', '/v1/urls/published', getPublishedContent, {
    operationId: 'getPublishedContentByUrl',
    description: 'Like `POST`, for visitors without unsigned claims.',
    query: z.object({
      ...withoutVisitor,
      visitorAuthToken: z.string().optional().describe('JWT of the visitor, signed with the key of the site.'),
    }),
    sets: ['visitor'],
    toInput: ({ visitorAuthToken, ...rest }) =>
      ({ ...rest, visitor: { jwtToken: visitorAuthToken } }) as Parameters<typeof getPublishedContent>[1], // untrusted; the operation checks it
    issueInRest: ({ path, message }) => (path[0] === 'visitor' ? { path: ['visitorAuthToken'], message } : undefined),
    ...lookedUp,
  }),
  route('GET', '/v1/urls/content', getContentByUrl, {
    operationId: 'getContentByUrl',
    mayBeAbsent: true,
    response: resourceResponse(contentAtUrl),
  }),
];
