import { HeadObjectCommand, S3Client, type S3ClientConfig, S3ServiceException } from '@aws-sdk/client-s3';
import type { S3Location } from './storage-location.ts';

/**
 * A client with the default credentials of AWS tools: environment, profile or machine. An attempt may take `attemptMs`
 * if the request has no limit of its own.
 */
export function s3Client({ region, endpoint }: S3Location, attemptMs: number): S3Client {
  // Compatible services have the bucket in the path, and do not support checksums in trailers.
  const checksums = endpoint === undefined ? 'WHEN_SUPPORTED' : 'WHEN_REQUIRED';
  return new S3Client({
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true, region: 'us-east-1' }),
    ...(region !== undefined && { region }),
    requestChecksumCalculation: checksums,
    responseChecksumValidation: checksums,
    requestHandler: {
      connectionTimeout: Math.min(CONNECT_MS, attemptMs),
      requestTimeout: attemptMs,
      throwOnRequestTimeout: true,
      socketTimeout: Math.max(IDLE_MS, attemptMs),
      httpsAgent: AGENT,
      httpAgent: AGENT,
    } satisfies S3ClientConfig['requestHandler'],
  });
}

const CONNECT_MS = 5_000;

/** Longer than a slow client takes to read the buffered part of a response. */
const IDLE_MS = 120_000;

const AGENT = { keepAlive: true, maxSockets: 200 };

/** Options of a request to the bucket. */
interface SendOptions {
  abortSignal: AbortSignal;
  requestTimeout: number;
}

/**
 * Sends a request with a limit for each attempt. Fails with a `TimeoutError` when all attempts together took twice as
 * long.
 */
export async function withinLimit<Result>(
  attemptMs: number,
  send: (options: SendOptions) => Promise<Result>,
): Promise<Result> {
  const limit = new AbortController();
  // Cleared once the headers are there, since the signal would also stop the body of a response.
  const timer = setTimeout(() => limit.abort(), 2 * attemptMs);
  try {
    return await send({ abortSignal: limit.signal, requestTimeout: attemptMs });
  } catch (error) {
    throw limit.signal.aborted ? bucketTimeout(`did not answer within ${2 * attemptMs} ms`, error) : error;
  } finally {
    clearTimeout(timer);
  }
}

/** A slower connection to the bucket is too slow for uploads. Idle connections end sooner. */
const MIN_UPLOAD_BYTES_PER_SECOND = 10_000;

/**
 * The same client for uploads: besides `attemptMs`, an attempt may take the time that a slow connection needs for the
 * bytes that it sends. The limit also covers the wait for a connection.
 */
export const uploadingClient = (client: S3Client, attemptMs: number): S3Client =>
  Object.create(client, {
    send: {
      value: (command: Parameters<S3Client['send']>[0]) => {
        const { Body } = command.input as { Body?: unknown };
        const bytes = Body instanceof Uint8Array ? Body.length : 0;
        const sendingMs = (bytes / MIN_UPLOAD_BYTES_PER_SECOND) * 1_000;
        return withinLimit(attemptMs + sendingMs, (options) => client.send(command, options));
      },
    },
  });

/** When an object was last written. Undefined if there is none. */
export async function lastModifiedOf(
  client: S3Client,
  object: { Bucket: string; Key: string },
  timeoutMs: number,
): Promise<Date | undefined> {
  try {
    const command = new HeadObjectCommand(object);
    return (await withinLimit(timeoutMs, (options) => client.send(command, options))).LastModified;
  } catch (error) {
    if (isApiError(error, 'NotFound', 'NoSuchKey')) return undefined;
    throw error;
  }
}

/** An error like those of the SDK for a bucket that is too slow. */
export const bucketTimeout = (what: string, cause?: unknown): Error =>
  Object.assign(new Error(`The bucket ${what}.`, { cause }), { name: 'TimeoutError', $metadata: {} });

export const isApiError = (error: unknown, ...names: string[]): boolean =>
  error instanceof S3ServiceException && names.includes(error.name);
