import type { FastifyRequest } from 'fastify';

export const PREFERENCE_APPLIED = 'Preference-Applied';

/** Whether the header `Prefer` of a request has a preference such as `respond-async` or `handling=strict` (RFC 7240). */
export function prefers({ headers }: Pick<FastifyRequest, 'headers'>, preference: string): boolean {
  const sent = [headers.prefer ?? []].flat().join(',');
  return sent.split(/[,;]/).some((each) => each.replace(/[\s"]/g, '').toLowerCase() === preference);
}
