import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Coding, codingFor, encode } from '../compress.ts';
import { isNotModified } from '../conditional-requests.ts';
import { pagePolicy } from '../security-headers.ts';

/** Quality of Brotli. Pages are compressed once and sent often. */
const QUALITY = 5;

/** Handler for a page that never changes and needs no other files. It is compressed once. */
export function staticPage(html: string): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  const policy = pagePolicy(html);
  const etag = `"${createHash('sha256').update(html).digest('base64url').slice(0, 22)}"`;
  const plain = Buffer.from(html);
  const encoded = new Map<Coding, Promise<Buffer>>();

  const inCoding = (coding: Coding): Promise<Buffer> => {
    const bytes = encoded.get(coding) ?? encode(html, coding, QUALITY);
    encoded.set(coding, bytes);
    return bytes;
  };
  return async (request, reply) => {
    reply.type('text/html; charset=utf-8');
    reply.headers({ 'content-security-policy': policy, 'cache-control': 'no-cache', vary: 'Accept, Accept-Encoding' });
    reply.header('etag', etag);
    if (isNotModified(request.headers['if-none-match'], etag)) return reply.status(304).send();
    const coding = codingFor(request.headers['accept-encoding']);
    if (!coding) return reply.send(plain);
    reply.headers({ 'content-encoding': coding, etag: etag.replace(/"$/, `-${coding}"`) });
    return reply.send(await inCoding(coding));
  };
}
