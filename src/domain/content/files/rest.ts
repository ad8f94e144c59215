import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../../platform/context/context.ts';
import { ApiError } from '../../../platform/errors/errors.ts';
import { immutableTag, REVALIDATED } from '../../../platform/http/conditional-requests.ts';
import { contentDisposition } from '../../../platform/http/content-disposition.ts';
import { listRoute, type Route, rawRoute, resourceResponse, route } from '../../../platform/http/route.ts';
import { sendBytes } from '../../../platform/http/send-bytes.ts';
import type { SignedFiles } from '../../../platform/storage/signed-files.ts';
import { toBytes } from '../../store/revisions/index.ts';
import { downloadPolicy, isSafeFromBucket } from './download-policy.ts';
import { type DownloadParts, findDownload } from './download-url.ts';
import { getFile } from './get-file.ts';
import { listFiles } from './list-files.ts';
import { namedMediaType } from './media-type.ts';
import { file } from './resources.ts';

const HEAD = '/v1/spaces/:spaceId/content/files';
const CHANGE_REQUEST = '/v1/spaces/:spaceId/change-requests/:changeRequestId/content/files';
const REVISION = '/v1/spaces/:spaceId/revisions/:revisionId/files';

const common = { response: resourceResponse(file) };

export const fileRoutes: Route[] = [
  listRoute(HEAD, listFiles, { operationId: 'listFiles', ...common }),
  listRoute(CHANGE_REQUEST, listFiles, { operationId: 'listFilesInChangeRequestById', ...common }),
  listRoute(REVISION, listFiles, { operationId: 'listFilesInRevisionById', ...common }),
  route('GET', `${HEAD}/:fileId`, getFile, { operationId: 'getFileById', ...common }),
  route('GET', `${CHANGE_REQUEST}/:fileId`, getFile, { operationId: 'getFileInChangeRequestById', ...common }),
  route('GET', `${REVISION}/:fileId`, getFile, {
    operationId: 'getFileInRevisionById',
    ...common,
    // A file of a revision is immutable, but the caller's access to it is not.
    headers: () => REVALIDATED,
    // Its address contains the organization, which a transfer changes.
    etag: ({ id, organizationId }, ctx, { params: { revisionId = '' } }) =>
      immutableTag(ctx, organizationId, revisionId, id),
  }),
  rawRoute('GET', '/files/:organizationId/:blob/:signature/:name', 'downloadFile', downloadFile, {
    about: {
      description:
        'Downloads a file, or a range of its bytes. Requires no token, because the URL is signed. Other responses contain it as `downloadURL`.',
      givesBytes: 'stored',
      redirects:
        'The file is at `Location` for a few minutes, in the bucket of the service. Only with `STORAGE_PUBLIC=signed`.',
      statuses: [200, 206],
    },
  }),
];

/** Serves a download URL. The signature is the permission; any other URL is NOT_FOUND. */
async function downloadFile(request: FastifyRequest, reply: FastifyReply, ctx: Context): Promise<unknown> {
  const parts = request.params as DownloadParts; // parameters of the route
  const { blob, name } = parts;
  const storedBlob = await findDownload(ctx, parts);
  if (!storedBlob) throw new ApiError('NOT_FOUND', 'There is no file at this URL.');
  const contentType = namedMediaType(storedBlob.contentType, name);
  const { signedFiles } = ctx.services;
  // `read` also finds files that were set aside as unused, to which signed URLs do not lead.
  if (signedFiles && isSafeFromBucket(contentType) && (await signedFiles.has(toBytes(blob)))) {
    return redirectToBucket(request, reply, signedFiles, {
      ...parts,
      contentType,
      now: ctx.services.clock(),
    });
  }
  reply.headers(headersOf(contentType, name));
  return sendBytes(request, reply, {
    etag: `"${blob}"`,
    size: storedBlob.size,
    read: async (range) => {
      const bytes = await ctx.services.storage.read(toBytes(blob), range);
      if (!bytes) throw new Error(`The blob ${blob} is missing in storage.`);
      return bytes;
    },
  });
}

/**
 * Redirects to a URL of the bucket that works for a while. Ranges and conditions are for the bucket, whose entity tags
 * are its own (RFC 9110, 13.2.1: a redirect ignores conditions).
 */
async function redirectToBucket(
  request: FastifyRequest,
  reply: FastifyReply,
  files: SignedFiles,
  { blob, name, contentType, now }: Pick<DownloadParts, 'blob' | 'name'> & { contentType: string; now: Date },
): Promise<null> {
  const response = {
    method: request.method === 'HEAD' ? ('HEAD' as const) : ('GET' as const),
    contentType,
    contentDisposition: contentDisposition(downloadPolicy(contentType).disposition, name),
  };
  const { url, maxAgeSeconds } = await files.sign(toBytes(blob), response, now);
  reply.status(302).headers({
    location: url,
    'cache-control': maxAgeSeconds > 0 ? `private, max-age=${maxAgeSeconds}` : 'no-store',
    'cross-origin-resource-policy': 'cross-origin',
  });
  return null;
}

const YEAR_SECONDS = 31_536_000;

/** The content of a download URL never changes. */
function headersOf(contentType: string, name: string): Record<string, string> {
  const { disposition, contentSecurityPolicy } = downloadPolicy(contentType);
  return {
    'content-type': contentType.startsWith('text/') ? `${contentType}; charset=utf-8` : contentType,
    'content-disposition': contentDisposition(disposition, name),
    'cache-control': `public, max-age=${YEAR_SECONDS}, immutable`,
    // Published sites embed files from other origins.
    'cross-origin-resource-policy': 'cross-origin',
    ...(contentSecurityPolicy && { 'content-security-policy': contentSecurityPolicy }),
  };
}
