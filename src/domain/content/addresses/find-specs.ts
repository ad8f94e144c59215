import type { ContentRef } from '../../../lib/document/content-ref.ts';
import type { ServiceUrl } from '../../../lib/document/service-url.ts';
import { specOfPath } from '../../../lib/document/stable-url.ts';
import type { TextPlace } from './text-place.ts';

/**
 * The OpenAPI specifications that paths among URLs stand for (`/openapi/<slug>`), by path: those that the text referred to
 * before. Elsewhere, such a path is one of another site.
 */
export async function findSpecs(
  addresses: readonly ServiceUrl[],
  { specsBefore }: TextPlace,
): Promise<Map<string, ContentRef>> {
  const named = addresses.flatMap((address) => {
    const spec = address.kind === 'path' ? specOfPath(address.path) : undefined;
    return address.kind === 'path' && spec !== undefined ? [{ path: address.path, spec }] : [];
  });
  if (named.length === 0 || !specsBefore) return new Map();
  const before = await specsBefore();
  return new Map(named.flatMap(({ path, spec }) => (before.has(spec) ? [[path, { kind: 'openapi', spec }]] : [])));
}
