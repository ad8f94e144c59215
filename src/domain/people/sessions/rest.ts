import { z } from 'zod';
import { listRoute, type Route, resourceResponse, route } from '../../../platform/http/route.ts';
import { createSignInLink } from './create-sign-in-link.ts';
import { endSession } from './end-session.ts';
import { listSessions } from './list-sessions.ts';
import { session } from './resources.ts';

const signInLinkShape = z
  .object({
    url: z.string().meta({ format: 'uri' }).optional().describe('The link. Returned only in this response.'),
    expiresAt: z.iso.datetime().describe('Time until which the link can be used.'),
  })
  .meta({ id: 'SignInLink', description: 'A link that signs a user in once.' });

export const sessionRoutes: Route[] = [
  listRoute('/v1/user/sessions', listSessions, { operationId: 'listSessions', response: resourceResponse(session) }),
  route('DELETE', '/v1/user/sessions/:sessionId', endSession, { operationId: 'endSession' }),
  route('POST', '/v1/users/:userId/sign-in-links', createSignInLink, {
    operationId: 'createSignInLink',
    status: 201,
    shape: signInLinkShape,
    headers: () => ({ 'cache-control': 'no-store' }),
    present: ({ url, expiresAt }) => ({ ...(url !== null && { url }), expiresAt }),
  }),
];
