import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { ApiError } from '../../../platform/errors/errors.ts';
import { fileNameIn } from '../../../platform/http/content-disposition.ts';
import { streamBody } from '../../../platform/http/limits/streamed-body.ts';
import { type Route, rawRoute } from '../../../platform/http/route.ts';
import { commandOptionsOf } from '../../../platform/http/route-input.ts';
import type { Operation } from '../../../platform/operation/operation.ts';
import { present, shapeOf } from '../../../platform/resource/rest.ts';
import { createUpload, type UploadRow } from './create-upload.ts';
import { MAX_UPLOAD_BYTES } from './limits.ts';
import { removeEmptyUpload } from './quota.ts';
import { receiveUpload } from './receive-upload.ts';
import { upload } from './resources.ts';
import { uploadAtUrl } from './upload-for.ts';

export const uploadRoutes: Route[] = [
  rawRoute('POST', '/v1/orgs/:organizationId/uploads', 'createUpload', postUpload, {
    streamedBody: MAX_UPLOAD_BYTES,
    operation: createUpload as unknown as Operation, // one type for the routes of all operations
    about: {
      description: 'Uploads a file of up to 200 MB, for use in a later operation within a day. Only you can use it.',
      takesBytes: true,
      shape: () => shapeOf(upload),
      statuses: [201],
    },
  }),
  rawRoute('PUT', '/uploads/:uploadId', 'putUpload', putUpload, {
    streamedBody: MAX_UPLOAD_BYTES,
    about: {
      description:
        'Receives the file of an upload that was created with the GraphQL mutation `createUpload`. Requires no token, because the URL is signed. It accepts one file.',
      takesBytes: true,
      query: z.object({
        expires: z.string().describe('Part of the signed URL, to be sent unchanged.'),
        signature: z.string().describe('Part of the signed URL, to be sent unchanged.'),
      }),
      statuses: [204],
    },
  }),
];

/** Creates an upload and receives its file in one request. Access is checked before any byte is read. */
async function postUpload(request: FastifyRequest, reply: FastifyReply, ctx: Context): Promise<unknown> {
  const { organizationId } = request.params as { organizationId: string }; // parameters of the route
  const name = queryOf(request, 'name') ?? fileNameIn(request.headers['content-disposition']);
  const options = commandOptionsOf(request);
  const row = await createUpload(ctx, { organizationId, name }, options);
  const isRepeatable = options.idempotencyKey !== undefined;
  try {
    await receive(request, ctx, row, { isRepeatable });
  } catch (error) {
    // The client does not know the upload, and it would count until it expires.
    if (!isRepeatable) await removeEmptyUpload(ctx, row.id).catch(() => {});
    throw error;
  }
  reply.status(201);
  return present(upload, row, ctx);
}

/** Receives the file of an upload that was created in the graph. The signature is the permission. */
async function putUpload(request: FastifyRequest, reply: FastifyReply, ctx: Context): Promise<unknown> {
  const { uploadId: id } = request.params as { uploadId: string }; // parameters of the route
  const url = { id, expires: queryOf(request, 'expires') ?? '', signature: queryOf(request, 'signature') ?? '' };
  const row = await uploadAtUrl(ctx, url);
  if (!row) throw new ApiError('NOT_FOUND', 'There is no upload at this URL, or it has expired.');
  await receive(request, ctx, row);
  reply.status(204);
  return null;
}

const receive = (request: FastifyRequest, ctx: Context, row: UploadRow, options?: { isRepeatable: boolean }) => {
  const length = request.headers['content-length'];
  const declared = length === undefined ? undefined : Number(length); // Node rejects anything but digits
  return streamBody(request, MAX_UPLOAD_BYTES, (bytes) => receiveUpload(ctx, row, bytes, { ...options, declared }));
};

function queryOf(request: FastifyRequest, name: string): string | undefined {
  const value = (request.query as Record<string, string | string[] | undefined>)[name]; // Fastify's query parser
  return Array.isArray(value) ? value.at(-1) : value;
}
