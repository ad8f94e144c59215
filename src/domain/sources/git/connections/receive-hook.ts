import type { IncomingHttpHeaders } from 'node:http';
import { addAbortSignal, type Readable } from 'node:stream';
import { GrowingBytes } from '../../../../lib/growing-bytes.ts';
import { type Context, nowOf } from '../../../../platform/context/context.ts';
import { ApiError, unauthenticated } from '../../../../platform/errors/errors.ts';
import { transact } from '../../../../platform/operation/transact.ts';
import { connectionById, type GitConnectionRow } from './access.ts';
import { hookSecret } from './connection-secrets.ts';
import { type HookProof, hmacWith, isSignature, isToken, NO_SECRET, proofIn } from './hook-signature.ts';
import { importPullRequest } from './import-pull-request.ts';
import { type PushEvent, parsePushEvent } from './parse-push-event.ts';
import { requestSync } from './request-sync.ts';

export const MAX_HOOK_BYTES = 25 * 1024 * 1024;

/** Larger payloads are hashed to their end, but not kept: they are pushes of many commits, which need not be read. */
const KEPT_BYTES = 256 * 1024;
const ARRIVAL_MS = 60_000;
/** Requests of one address that are being received. */
const MAX_CONCURRENT_REQUESTS = 16;

/** A request to a hook. */
export interface HookRequest {
  headers: IncomingHttpHeaders;
  body: Readable;
  /** Memory for the body. It grows by a number of bytes unless there is not enough. */
  memory: { grow(bytes: number): boolean; release(): void };
}

/**
 * Receives a request to the hook of a connection. The body is hashed while it arrives, and parsed only when the secret
 * was proved. It only decides what is checked, never what is written, so a repeated request changes nothing. CONFLICT
 * if the secret cannot be read.
 */
export async function receiveHook(ctx: Context, gitConnectionId: string, request: HookRequest): Promise<void> {
  const { headers } = request;
  const proof = proofIn(headers);
  if (!proof) throw unproved();
  const secret = (await secretOf(ctx, gitConnectionId)) ?? NO_SECRET;
  // A token needs no body.
  if (proof.kind === 'token' && !isToken(proof.token, secret)) throw unproved();
  const bytes = await received(ctx, request, { proof, secret });
  const row = await connectionById(ctx, gitConnectionId);
  if (!row) throw unproved();
  const event = headers['x-github-event'] ?? headers['x-gitlab-event'] ?? headers['x-gitea-event'];
  const pushed = parsePushEvent(typeof event === 'string' ? event : undefined, parsed(bytes, headers['content-type']));
  await transact(ctx, (inside) => note(inside, row, pushed));
}

const unproved = () =>
  unauthenticated(
    'The request does not prove that it knows the secret of the connection. Check the secret of the webhook.',
  );

async function secretOf({ db, services }: Context, id: string): Promise<string | undefined> {
  const connection = await db
    .selectFrom('git_connection')
    .innerJoin('space', 'space.id', 'git_connection.spaceId')
    .where('git_connection.id', '=', id)
    .where('space.deletedAt', 'is', null)
    .select('git_connection.hookSecret')
    .executeTakeFirst();
  return connection && hookSecret.read(services, { id }, connection.hookSecret);
}

const receiving = new Map<string, number>();

/**
 * Reads the body. Answers its bytes, or undefined if they are too many to be kept. Throws UNAUTHENTICATED for another
 * signature.
 */
async function received(
  { address = '' }: Context,
  { body, memory }: HookRequest,
  { proof, secret }: { proof: HookProof; secret: string },
): Promise<Buffer | undefined> {
  const present = receiving.get(address) ?? 0;
  if (present >= MAX_CONCURRENT_REQUESTS)
    throw new ApiError('SERVICE_UNAVAILABLE', 'Too many requests to hooks at a time. Try again later.');
  receiving.set(address, present + 1);
  const buffer = new GrowingBytes(KEPT_BYTES, memory.grow);
  try {
    addAbortSignal(AbortSignal.timeout(ARRIVAL_MS), body);
    const hmac = hmacWith(secret);
    let length = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > MAX_HOOK_BYTES)
        throw new ApiError('PAYLOAD_TOO_LARGE', `At most ${MAX_HOOK_BYTES} bytes are allowed.`);
      hmac.update(chunk);
      if (length > KEPT_BYTES) {
        buffer.free();
        memory.release();
      } else if (!buffer.add(chunk)) throw new ApiError('SERVICE_UNAVAILABLE', BUSY);
    }
    if (proof.kind === 'signature' && !isSignature(proof.signature, hmac)) throw unproved();
    return length <= KEPT_BYTES ? buffer.bytes : undefined;
  } catch (error) {
    buffer.free();
    if (error instanceof Error && error.name === 'AbortError') {
      throw new ApiError('REQUEST_TIMEOUT', `The body did not arrive within ${ARRIVAL_MS} ms.`);
    }
    throw error;
  } finally {
    const remaining = (receiving.get(address) ?? 1) - 1;
    if (remaining === 0) receiving.delete(address);
    else receiving.set(address, remaining);
  }
}

const BUSY = 'The service does not have enough memory for this request right now. Try again later.';

/** GitHub sends JSON as it is or in the field `payload` of a form. Anything else has nothing to say. */
function parsed(bytes: Buffer | undefined, contentType = ''): unknown {
  if (!bytes) return undefined;
  const text = bytes.toString('utf8');
  try {
    const isForm = contentType.startsWith('application/x-www-form-urlencoded');
    return JSON.parse(isForm ? (new URLSearchParams(text).get('payload') ?? '') : text);
  } catch {
    return undefined;
  }
}

async function note(inside: Context, row: GitConnectionRow, pushed: PushEvent): Promise<void> {
  await inside.db
    .updateTable('git_connection')
    .set({ hookSeenAt: nowOf(inside) })
    .where('id', '=', row.id)
    .execute();
  if (pushed.kind === 'pull-request') await importPullRequest(inside, row, pushed);
  if (pushed.kind === 'push' && (pushed.ref === null || pushed.ref === row.ref)) await requestSync(inside, [row.id]);
}
