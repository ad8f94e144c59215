import { setTimeout as sleep } from 'node:timers/promises';

/** What callers saw while faults were made. */
export interface Seen {
  /** Answers by status; `broken` are connections that ended without one. */
  statuses: Record<string, number>;
  /** Subjects of the change requests whose creation was acknowledged. */
  acknowledged: Set<string>;
  /** The longest time that a write needed from its first attempt to its acknowledgement. */
  longestMs: number;
}

export interface Target {
  url: string;
  token: string;
  spaceId: string;
  signal: AbortSignal;
  /** Pause after each request. Without it, callers load the machine as much as they can. */
  pauseMs?: number;
}

/** Sends a request and counts the answer; undefined: there was none. */
export async function send(
  { url, token }: Pick<Target, 'url' | 'token'>,
  path: string,
  init: { method?: string; body?: unknown; headers?: Record<string, string> } = {},
  seen?: Seen,
): Promise<Response | undefined> {
  const { method = 'GET', body, headers } = init;
  try {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (seen) count(seen, String(response.status));
    return response;
  } catch {
    if (seen) count(seen, 'broken');
    return undefined;
  }
}

const count = ({ statuses }: Seen, status: string) => {
  statuses[status] = (statuses[status] ?? 0) + 1;
};

/**
 * Creates change requests one after the other; each is sent again with its idempotency key until it is acknowledged.
 */
export async function write(target: Target, name: string, seen: Seen): Promise<void> {
  for (let number = 1; !target.signal.aborted; number++) {
    const subject = `${name} ${number}`;
    const begun = performance.now();
    const init = { method: 'POST', body: { subject }, headers: { 'idempotency-key': subject } };
    const path = `/v1/spaces/${target.spaceId}/change-requests`;
    let response = await send(target, path, init, seen);
    while (!response?.ok) {
      await sleep(100);
      response = await send(target, path, init, seen);
    }
    seen.acknowledged.add(subject);
    seen.longestMs = Math.max(seen.longestMs, performance.now() - begun);
    if (target.pauseMs !== undefined) await sleep(target.pauseMs);
  }
}

/** Reads the space over and over. */
export async function read(target: Target, seen: Seen): Promise<void> {
  while (!target.signal.aborted) {
    const response = await send(target, `/v1/spaces/${target.spaceId}`, {}, seen);
    const pauseMs = response?.ok ? target.pauseMs : 50;
    if (pauseMs !== undefined) await sleep(pauseMs);
  }
}

/** Sends a request that must succeed, and returns the body of the answer. A proxy may need a moment to listen. */
export async function must<Body>(
  target: Pick<Target, 'url' | 'token'>,
  path: string,
  body?: unknown,
  method = body === undefined ? 'GET' : 'POST',
): Promise<Body> {
  for (let attempt = 1; ; attempt++) {
    const response = await send(target, path, { method, body });
    if (response?.ok) return (await response.json()) as Body; // of the API
    if (response || attempt === 100)
      throw new Error(`${method} ${path}: ${response?.status} ${await response?.text()}`);
    await sleep(20);
  }
}
