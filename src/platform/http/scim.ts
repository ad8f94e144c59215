import type { FastifyRequest } from 'fastify';
import { cutMessage } from '../errors/bounded-faults.ts';
import { type ApiError, internalMessage } from '../errors/errors.ts';
import { ScimError, type ScimType } from '../errors/scim-error.ts';

/** The media type of SCIM (RFC 7644, 8.1). */
export const SCIM_JSON = 'application/scim+json';

const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error';

/** Whether a request is of SCIM, which has tokens and a form of errors of its own. */
export const isScim = ({ routeOptions, url }: Pick<FastifyRequest, 'routeOptions' | 'url'>): boolean =>
  (routeOptions?.url ?? url).startsWith('/scim/');

/** The body of an error in the form of SCIM (RFC 7644, 3.12). */
export function scimErrorBody(apiError: ApiError | undefined, requestId: string) {
  const scimType = apiError && scimTypeOf(apiError);
  return {
    schemas: [ERROR],
    status: String(apiError?.status ?? 500),
    ...(scimType !== undefined && { scimType }),
    detail: cutMessage(apiError?.message ?? internalMessage(requestId)),
  };
}

/** Errors about a value name its path; a body that is not JSON has none. */
function scimTypeOf(apiError: ApiError): ScimType | undefined {
  if (apiError instanceof ScimError) return apiError.scimType;
  if (apiError.code !== 'BAD_USER_INPUT') return undefined;
  return apiError.issues.length > 0 ? 'invalidValue' : 'invalidSyntax';
}
