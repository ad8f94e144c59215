import type { FastifyReply, FastifyRequest } from 'fastify';
import manifest from '../../../package.json' with { type: 'json' };
import { sha256 } from '../../lib/canonical.ts';
import { visitsOf } from '../access/actor.ts';
import type { Context } from '../context/context.ts';
import { VERSIONED, type Versioned, versionOf } from '../operation/version.ts';
import { signatureOf } from '../secret-key/signature.ts';
import { cacheSerialized } from './serialized-body.ts';

/** Whether `If-None-Match` contains the entity tag, so that the response is 304 (RFC 9110, 13.1.2: weak comparison). */
export function isNotModified(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.trim() === '*' || tagsIn(ifNoneMatch).some((tag) => tag.replace(/^W\//, '') === etag);
}

/** Whether `If-Range` allows a range: only an equal strong tag does (RFC 9110, 13.1.5). */
export const admitsRange = (ifRange: string | string[] | undefined, etag: string): boolean =>
  ifRange === undefined || String(ifRange).trim() === etag;

/** The versions in the strong tags of `If-Match` (RFC 9110, 13.1.1). Undefined if any version matches. */
export function versionsIn(ifMatch: string | undefined): string[] | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined;
  return tagsIn(ifMatch)
    .filter((tag) => tag.startsWith('"'))
    .map((tag) => tag.slice(1, -1).split('.', 1)[0] ?? '');
}

/**
 * Sets the entity tag `"<version>.<hash of the response>"`. The hash is needed since a response contains more than the
 * resource, such as the permissions of the caller. A read with the same tag is 304.
 */
export function answerVersioned(request: FastifyRequest, reply: FastifyReply, body: unknown): unknown {
  const row = typeof body === 'object' && body !== null && (body as { [VERSIONED]?: Versioned })[VERSIONED]; // if any
  if (!row) return body;
  const text = JSON.stringify(body);
  const etag = `"${versionOf(row)}.${sha256(text).slice(0, 16)}"`;
  cacheSerialized(body, text);
  reply.header('etag', etag);
  if (request.method !== 'GET' && request.method !== 'HEAD') return body;
  reply.header('cache-control', 'private, no-cache');
  if (!isNotModified(request.headers['if-none-match'], etag)) return body;
  reply.status(304);
  return null;
}

/** Headers that identify the caller. Responses vary by them. */
const CALLER = 'authorization, cookie';

/** Headers of a response that is revalidated before each use, since access to it can change. */
export const REVALIDATED = { 'cache-control': 'private, no-cache', vary: CALLER };

/** Headers of a response that never changes. */
export const IMMUTABLE_HEADERS = { 'cache-control': 'private, max-age=31536000, immutable', vary: CALLER };

/** Sets the entity tag of a response. True, with status 304, if the client has the response already. */
export function isUnchanged({ headers }: FastifyRequest, reply: FastifyReply, etag: string): boolean {
  reply.header('etag', etag);
  if (!isNotModified(headers['if-none-match'], etag)) return false;
  reply.status(304);
  return true;
}

/**
 * A strong entity tag of a response that is determined by the given values, the release and the settings of the
 * service: addresses and the secret key are part of URLs. What a published site shows also depends on the claims of its
 * visitor.
 */
export const immutableTag = ({ actor, services: { config, secretKeys } }: Context, ...values: string[]): string => {
  const visits = visitsOf(actor).map(({ siteId, claims, isPreview }) => JSON.stringify([siteId, claims, isPreview]));
  return `"${signatureOf(secretKeys, 'etag', manifest.version, config.publicUrl, ...values, ...visits)}"`;
};

const tagsIn = (header: string): string[] => header.match(/(?:W\/)?"[^"]*"/g) ?? [];

/** Positions of the first and the last byte, both inclusive. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * The single range of a `Range` header (RFC 9110, 14.1.2). Null for everything: no header, or one that is ignored
 * (another unit, malformed, several ranges). `unsatisfiable` if the range starts after the end.
 */
export function byteRange(header: string | undefined, size: number): ByteRange | null | 'unsatisfiable' {
  const match = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header ?? '');
  const [, first = '', last = ''] = match ?? [];
  if (first === '' && last === '') return null;
  if (first === '') return suffix(Number(last), size);
  if (last !== '' && Number(last) < Number(first)) return null;
  if (Number(first) >= size) return 'unsatisfiable';
  return { start: Number(first), end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}

function suffix(length: number, size: number): ByteRange | null | 'unsatisfiable' {
  if (length === 0) return 'unsatisfiable';
  return size === 0 ? null : { start: Math.max(0, size - length), end: size - 1 };
}
