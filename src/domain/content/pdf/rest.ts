import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { markErrorsHandled } from '../../../lib/mark-handled.ts';
import type { Context } from '../../../platform/context/context.ts';
import { ApiError } from '../../../platform/errors/errors.ts';
import { contentDisposition } from '../../../platform/http/content-disposition.ts';
import { type Route, rawRoute, resourceResponse, route } from '../../../platform/http/route.ts';
import { sendBytes } from '../../../platform/http/send-bytes.ts';
import { getChangeRequestPdf } from './get-change-request-pdf.ts';
import { getSpacePdf } from './get-space-pdf.ts';
import { pdfNameIn } from './pdf-address.ts';
import { printPdf } from './print-pdf.ts';
import { pdfLink } from './resources.ts';

const common = { response: resourceResponse(pdfLink), rename: { page: 'pageId' as const } };

export const pdfRoutes: Route[] = [
  route('GET', '/v1/spaces/:spaceId/pdf', getSpacePdf, { operationId: 'getSpacePDF', ...common }),
  route('GET', '/v1/spaces/:spaceId/change-requests/:changeRequestId/pdf', getChangeRequestPdf, {
    operationId: 'getChangeRequestPDF',
    ...common,
  }),
  rawRoute('GET', '/pdf/:spaceId/:revisionId', 'downloadPdf', downloadPdf, {
    about: {
      description:
        'Downloads a PDF. Requires no token, because the URL is signed. Requests for a PDF return the URL. While the PDF is being created, the ' +
        'request waits for up to 30 seconds and then responds with 503 and `Retry-After`. `Stemma-Left-Out-Images` is the number of images that the PDF replaces with links; the PDF gives the reasons. It is absent when the PDF has all images.',
      query: z.object({
        since: z.string().optional().describe('Part of the signed URL, to be sent unchanged.'),
        changeRequest: z.string().optional().describe('Part of the signed URL, to be sent unchanged.'),
        page: z.string().optional().describe('Part of the signed URL, to be sent unchanged.'),
        only: z.string().optional().describe('Part of the signed URL, to be sent unchanged.'),
        reader: z.string().optional().describe('Part of the signed URL, to be sent unchanged.'),
        expires: z.string().describe('Part of the signed URL, to be sent unchanged.'),
        signature: z.string().describe('Part of the signed URL, to be sent unchanged.'),
      }),
      givesBytes: 'printed',
      statuses: [200, 206],
    },
  }),
];

/** Serves the URL of a PDF. The signature is the permission; any other URL is NOT_FOUND. */
async function downloadPdf(request: FastifyRequest, reply: FastifyReply, ctx: Context): Promise<unknown> {
  const place = request.params as { spaceId: string; revisionId: string }; // parameters of the route
  const query = request.query as Record<string, string | string[] | undefined>; // Fastify's query parser
  const name = pdfNameIn(
    ctx,
    place,
    Object.fromEntries(Object.entries(query).map(([key, value]) => [key, String(value)])),
  );
  const pdf = name && (await printPdf(ctx, name));
  if (!pdf) throw new ApiError('NOT_FOUND', 'There is no PDF at this URL, or it has expired.');
  const { path, size, leftOut } = pdf;
  reply.headers({
    'content-type': 'application/pdf',
    'content-disposition': contentDisposition('inline', 'content.pdf'),
    'cache-control': 'private, max-age=3600',
    ...(leftOut > 0 && { 'stemma-left-out-images': String(leftOut) }),
  });
  return sendBytes(request, reply, {
    // Another print of the same content can show other titles and names. Each has a folder of its own.
    etag: `"${createHash('sha256').update(path).digest('base64url').slice(0, 22)}"`,
    size,
    read: async (range) => markErrorsHandled((await open(path).catch(isGone)).createReadStream({ ...range })),
  });
}

/** The file was removed to make room for others since it was found. */
function isGone(): never {
  throw new ApiError('SERVICE_UNAVAILABLE', 'The PDF has to be created again. Try again shortly.');
}
