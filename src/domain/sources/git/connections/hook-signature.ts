import { createHash, createHmac, type Hmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** A new secret of a hook, of 256 bits. */
export const newHookSecret = (): string => `githook_${randomBytes(32).toString('base64url')}`;

/** How a request to a hook shows that it knows the secret. */
export type HookProof = { kind: 'token'; token: string } | { kind: 'signature'; signature: string };

/**
 * The proof in the headers of a request: GitHub's `X-Hub-Signature-256` (HMAC-SHA-256 of the body), GitLab's
 * `X-Gitlab-Token` or `X-Stemma-Token` (the secret itself). Undefined if there is none.
 */
export function proofIn(headers: IncomingHttpHeaders): HookProof | undefined {
  const signature = headers['x-hub-signature-256'];
  if (typeof signature === 'string') return { kind: 'signature', signature };
  const token = headers['x-gitlab-token'] ?? headers['x-stemma-token'];
  return typeof token === 'string' ? { kind: 'token', token } : undefined;
}

/** Compares in constant time, whatever the lengths. */
export const isToken = (token: string, secret: string): boolean => timingSafeEqual(digestOf(token), digestOf(secret));

/** Whether a signature is that of the bytes that an HMAC was fed with. Compares in constant time. */
export const isSignature = (signature: string, hmac: Hmac): boolean =>
  timingSafeEqual(digestOf(signature), digestOf(`sha256=${hmac.digest('hex')}`));

export const hmacWith = (secret: string): Hmac => createHmac('sha256', secret);

/** Takes the place of the secret of a connection that does not exist, so that its hook answers alike. */
export const NO_SECRET = randomBytes(32).toString('base64url');

const digestOf = (text: string) => createHash('sha256').update(text).digest();
