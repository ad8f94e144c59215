import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Context } from '../../../platform/context.ts';
import { ApiError } from '../../../platform/errors.ts';
import { fileNameIn } from '../../../platform/http/content-disposition.ts';
import { type Route, rawRoute, termsOf } from '../../../platform/http/route.ts';
import { streamBody } from '../../../platform/http/streamed-body.ts';
import type { Operation } from '../../../platform/operation.ts';
import { present, shapeOf } from '../../../platform/resource/rest.ts';
import { createUpload, type UploadRow } from './create-upload.ts';
import { MAX_UPLOAD_BYTES } from './limits.ts';
import { receiveUpload } from './receive-upload.ts';
import { upload } from './resources.ts';
import { isUploadUrl } from './upload-url.ts';

export const uploadRoutes: Route[] = [
  rawRoute('POST', '/v1/orgs/:organizationId/uploads', 'createUpload', postUpload, {
    streamedBody: MAX_UPLOAD_BYTES,
    operation: createUpload as unknown as Operation, // routes of all operations are listed together
    about: {
      description:
        'Uploads the bytes of one file, up to 200 MB, to be used by a later operation of yours within a day.',
      takesBytes: true,
      shape: () => shapeOf(upload),
      statuses: [201],
    },
  }),
  rawRoute('PUT', '/uploads/:uploadId', 'putUpload', putUpload, {
    streamedBody: MAX_UPLOAD_BYTES,
    about: {
      description:
        'Sends the bytes of an upload that was made in the graph, once. The address itself is the permission.',
      takesBytes: true,
      query: z.object({
        expires: z.string().describe('As the address has it.'),
        signature: z.string().describe('As the address has it.'),
      }),
      statuses: [204],
    },
  }),
];

/** Makes an upload and fills it, in one request. The caller is checked before any byte is read. */
async function postUpload(request: FastifyRequest, reply: FastifyReply, ctx: Context): Promise<unknown> {
  const { organizationId } = request.params as { organizationId: string }; // the route's parameter
  const name = queryOf(request, 'name') ?? fileNameIn(request.headers['content-disposition']);
  const terms = termsOf(request);
  const row = await createUpload(ctx, { organizationId, name }, terms);
  await receive(request, ctx, row, { isRepeatable: terms.idempotencyKey !== undefined });
  reply.status(201);
  return present(upload, row, ctx);
}

/** Takes the bytes of an upload that was made in the graph. The signature is the permission. */
async function putUpload(request: FastifyRequest, reply: FastifyReply, ctx: Context): Promise<unknown> {
  const { uploadId: id } = request.params as { uploadId: string }; // the route's parameter
  const given = { id, expires: queryOf(request, 'expires') ?? '', signature: queryOf(request, 'signature') ?? '' };
  const row = isUploadUrl(ctx, given)
    ? await ctx.db.selectFrom('upload').where('id', '=', id).selectAll().executeTakeFirst()
    : undefined;
  if (!row) throw new ApiError('NOT_FOUND', 'There is no upload at this address, or it has expired.');
  await receive(request, ctx, row);
  reply.status(204);
  return null;
}

const receive = (request: FastifyRequest, ctx: Context, row: UploadRow, options?: { isRepeatable: boolean }) => {
  const length = request.headers['content-length'];
  const declared = length === undefined ? undefined : Number(length); // digits alone: Node refuses everything else
  return streamBody(request, MAX_UPLOAD_BYTES, (bytes) => receiveUpload(ctx, row, bytes, { ...options, declared }));
};

function queryOf(request: FastifyRequest, name: string): string | undefined {
  const value = (request.query as Record<string, string | string[] | undefined>)[name]; // Fastify's query parser
  return Array.isArray(value) ? value.at(-1) : value;
}
