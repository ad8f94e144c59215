import { buffer } from 'node:stream/consumers';
import type { Context } from '../../../../platform/context/context.ts';
import { OutboundError } from '../../../../platform/outbound/outbound-error.ts';
import { MAX_SOURCE_BYTES } from '../settings.ts';

/** A file of a specification, under the URL that it was received from. */
export interface FetchedFile {
  location: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** Validators of a response (RFC 9110, section 8.8). */
export interface Validators {
  etag: string | null;
  lastModified: string | null;
}

/** Time for one file. */
const TIMEOUT_MS = 30_000;
/** Time for all files of a specification together. */
const ALL_FILES_MS = 5 * 60_000;
const MAX_VALIDATOR = 1_000;

const ACCEPT =
  'application/vnd.oai.openapi+json, application/vnd.oai.openapi, application/json, application/yaml, */*;q=0.5';

/** Limits of the requests for one specification. */
export interface FetchLimits {
  /** Aborted when the files are no longer needed. */
  signal: AbortSignal;
  /** Time that the requests may still take, in milliseconds. What happens between them does not count. */
  remainingMs: number;
}

/** Limits of the requests for one specification, before the first one. */
export const fetchLimits = (signal: AbortSignal): FetchLimits => ({ signal, remainingMs: ALL_FILES_MS });

interface Fetching {
  validators: Validators;
  limits: FetchLimits;
  maxBytes?: number;
}

/**
 * Fetches a file. With validators, the request is conditional, and the result undefined if the file has not changed.
 * Throws an `OutboundError`.
 */
export async function fetchSource(
  ctx: Context,
  url: string,
  fetching: Fetching,
): Promise<(FetchedFile & Validators) | undefined> {
  const { limits } = fetching;
  if (limits.remainingMs <= 0) throw new OutboundError('FETCH_TIMEOUT', 'The files did not arrive within 5 minutes.');
  const now = () => ctx.services.clock().getTime();
  const began = now();
  try {
    return await fetchFile(ctx, url, fetching);
  } finally {
    limits.remainingMs -= now() - began;
  }
}

async function fetchFile(
  ctx: Context,
  url: string,
  { validators: { etag, lastModified }, limits: { signal, remainingMs }, maxBytes = MAX_SOURCE_BYTES }: Fetching,
): Promise<(FetchedFile & Validators) | undefined> {
  const headers = {
    accept: ACCEPT,
    ...(etag !== null && { 'if-none-match': etag }),
    ...(lastModified !== null && { 'if-modified-since': lastModified }),
  };
  const timeoutMs = Math.min(TIMEOUT_MS, remainingMs);
  const response = await ctx.services.fetch({ url, headers, maxBytes, timeoutMs, signal });
  const { status, body } = response;
  if (status !== 200) {
    body.on('error', () => {}).destroy();
    if (status === 304 && (etag !== null || lastModified !== null)) return undefined;
    throw new OutboundError('FETCH_ERROR', `${new URL(url).origin} responded with status ${status} instead of 200.`);
  }
  return {
    location: response.url,
    bytes: await buffer(body),
    etag: validator(response.headers.etag),
    lastModified: validator(response.headers['last-modified']),
  };
}

const validator = (value: string | undefined) =>
  value !== undefined && value.length <= MAX_VALIDATOR && /^[\x20-\x7e]+$/.test(value) ? value : null;
