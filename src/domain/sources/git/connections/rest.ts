import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Context } from '../../../../platform/context/context.ts';
import { streamBody } from '../../../../platform/http/limits/streamed-body.ts';
import { type Route, rawRoute, resourceResponse, route } from '../../../../platform/http/route.ts';
import { present, shapeOf } from '../../../../platform/resource/rest.ts';
import { locationUrl } from '../../../../platform/resource/urls.ts';
import { gitRun } from '../resources.ts';
import type { GitConnectionRow } from './access.ts';
import { checkGitConnection } from './check-git-connection.ts';
import { createGitConnection } from './create-git-connection.ts';
import { deleteGitConnection } from './delete-git-connection.ts';
import { getGitConnection } from './get-git-connection.ts';
import { previewGitConnection } from './preview-git-connection.ts';
import { MAX_HOOK_BYTES, receiveHook } from './receive-hook.ts';
import { gitChecks, gitConnection } from './resources.ts';
import { rotateGitHookSecret } from './rotate-git-hook-secret.ts';
import { rotateGitSshKey } from './rotate-git-ssh-key.ts';
import { startGitConnection } from './start-git-connection.ts';
import { syncGitConnection } from './sync-git-connection.ts';
import { updateGitConnection } from './update-git-connection.ts';

const CONNECTION = '/v1/spaces/:spaceId/git/connection';

const newConnectionShape = () =>
  shapeOf(gitConnection)
    .extend({
      hookSecret: z
        .string()
        .nullable()
        .describe(
          'Secret of the hook. Returned only once: null if the request is repeated with the same idempotency key.',
        ),
    })
    .meta({ id: 'NewGitConnection', description: 'A connection to a Git branch, with the new secret of its hook.' });

const withSecret = async (
  { connection: row, hookSecret }: { connection: GitConnectionRow; hookSecret: string | null },
  ctx: Context,
) => ({ ...(await present(gitConnection, row, ctx)), hookSecret });

const connection = resourceResponse(gitConnection, (output: { connection: GitConnectionRow }) => output.connection);

export const gitConnectionRoutes: Route[] = [
  route('GET', CONNECTION, getGitConnection, {
    operationId: 'getGitConnection',
    response: resourceResponse(gitConnection),
  }),
  route('POST', CONNECTION, createGitConnection, {
    operationId: 'createGitConnection',
    shape: newConnectionShape,
    status: 201,
    headers: ({ connection: { spaceId } }, ctx) => ({
      location: locationUrl(ctx, `/v1/spaces/${spaceId}/git/connection`),
      'cache-control': 'no-store',
    }),
    present: withSecret,
  }),
  route('PATCH', CONNECTION, updateGitConnection, {
    operationId: 'updateGitConnection',
    rename: { paused: 'isPaused' },
    response: connection,
  }),
  route('POST', `${CONNECTION}/rotate-hook-secret`, rotateGitHookSecret, {
    operationId: 'rotateGitHookSecret',
    shape: newConnectionShape,
    headers: () => ({ 'cache-control': 'no-store' }),
    present: withSecret,
  }),
  route('POST', `${CONNECTION}/rotate-ssh-key`, rotateGitSshKey, {
    operationId: 'rotateGitSshKey',
    response: connection,
  }),
  route('DELETE', CONNECTION, deleteGitConnection, { operationId: 'deleteGitConnection' }),
  route('POST', `${CONNECTION}/preview`, previewGitConnection, {
    operationId: 'previewGitConnection',
    status: 202,
    response: resourceResponse(gitRun, (output) => output.gitRun),
  }),
  route('POST', `${CONNECTION}/start`, startGitConnection, {
    operationId: 'startGitConnection',
    status: 202,
    response: resourceResponse(gitRun, (output) => output.gitRun),
  }),
  route('POST', `${CONNECTION}/sync`, syncGitConnection, {
    operationId: 'syncGitConnection',
    status: 202,
    response: connection,
  }),
  route('POST', `${CONNECTION}/check`, checkGitConnection, {
    operationId: 'checkGitConnection',
    response: resourceResponse(gitChecks, ({ checks }) => ({ checks })),
  }),
  rawRoute('POST', '/v1/hooks/git/:gitConnectionId', 'receiveGitHook', postHook, {
    streamedBody: MAX_HOOK_BYTES,
    about: {
      description:
        'Receives the webhooks of a repository for pushes and pull requests, of up to 25 MB. Requires no token: the header `X-Hub-Signature-256` ' +
        '(GitHub), `X-Gitlab-Token` (GitLab) or `X-Stemma-Token` (the secret itself) proves that the sender knows the secret of the connection.',
      takesBytes: true,
      statuses: [202],
    },
  }),
];

async function postHook(request: FastifyRequest, reply: FastifyReply, ctx: Context): Promise<null> {
  const { gitConnectionId } = request.params as { gitConnectionId: string }; // parameter of the route
  const { headers, bodyReservation: memory = NO_BODY } = request;
  await streamBody(request, MAX_HOOK_BYTES, (body) => receiveHook(ctx, gitConnectionId, { headers, body, memory }));
  reply.status(202);
  return null;
}

/** Body of a request without one. */
const NO_BODY = { grow: () => true, release: () => {} };
