import { setTimeout as sleep } from 'node:timers/promises';
import type { Attempt, CommandName, Input, Operation, QueryName, Transport } from './history.ts';
import { outcomeOf, outputOf } from './history.ts';
import { type Request, requestFor } from './requests.ts';

/** Where requests go: the addresses of the servers of the moment. */
export interface Addresses {
  readonly urls: readonly string[];
}

/** What all callers of a run share. */
export interface Recorder {
  readonly addresses: Addresses;
  readonly organizationId: string;
  readonly operations: Operation[];
  /** Aborted when a command is given up, or a caller fails: no further request is sent. */
  readonly giveUp: AbortController;
  /** When the last fault was over; undefined while one is under way. */
  calmSince(): number | undefined;
  /** Called when a step was taken. */
  stepTaken(): void;
}

export interface Asked {
  name: CommandName | QueryName;
  transport: Transport;
  server: number;
  isDoubled?: boolean;
  input: Input;
  /** Another token than the caller's. */
  token?: string;
}

const COMMANDS = new Set<string>([
  'edit',
  'createChangeRequest',
  'editChangeRequest',
  'merge',
  'resolve',
  'postComment',
  'updateComment',
  'deleteComment',
  'setGrant',
  'setMember',
  'createToken',
  'revokeToken',
] satisfies CommandName[]);

const REQUEST_TIMEOUT_MS = 8_000;
const FIRST_WAIT_MS = 30;
const LAST_WAIT_MS = 500;
/**
 * Commands of unknown outcome are repeated for so long without a fault. Then the run is over: the service does not
 * recover.
 */
const SETTLE_MS = 60_000;

/** One caller: sends requests one after the other, as a rule, and writes down what was answered. */
export class Caller {
  readonly name: string;
  readonly userId: string;
  readonly #token: string;
  readonly #recorder: Recorder;

  constructor(name: string, user: { userId: string; token: string }, recorder: Recorder) {
    this.name = name;
    this.userId = user.userId;
    this.#token = user.token;
    this.#recorder = recorder;
  }

  /** A word that nothing else of the run writes. */
  newWord(): string {
    return `w${this.#recorder.operations.length}x${this.name}`;
  }

  /**
   * Runs a command until its outcome is known: repeated with the same key to either server. Queries are not repeated.
   */
  async ask(asked: Asked): Promise<Operation> {
    const isCommand = COMMANDS.has(asked.name);
    const { operations, addresses } = this.#recorder;
    const id = operations.length;
    const operation: Operation = {
      id,
      caller: this.name,
      name: asked.name,
      transport: asked.transport,
      ...(isCommand && { key: `${this.name} ${id}` }),
      input: asked.input,
      attempts: [],
    };
    const { giveUp } = this.#recorder;
    if (giveUp.signal.aborted) return operation; // never sent, and not written down
    operations.push(operation);
    const request = requestFor({ ...operation, organizationId: this.#recorder.organizationId });
    const token = asked.token ?? this.#token;
    const attempt = (server: number) => this.#attempt(operation, request, server % addresses.urls.length, token);
    if (asked.isDoubled && isCommand) await Promise.all([attempt(asked.server), attempt(asked.server + 1)]);
    else await attempt(asked.server);
    let wait = FIRST_WAIT_MS;
    for (let count = 1; isCommand && isUnsettled(operation); count++) {
      if (this.#isHopeless(operation)) giveUp.abort();
      if (giveUp.signal.aborted) break;
      await sleep(wait);
      wait = Math.min(wait * 2, LAST_WAIT_MS);
      await attempt(asked.server + count);
    }
    return operation;
  }

  #isHopeless({ attempts: [first] }: Operation): boolean {
    const calmSince = this.#recorder.calmSince();
    return calmSince !== undefined && performance.now() - Math.max(calmSince, first?.from ?? 0) > SETTLE_MS;
  }

  async #attempt(operation: Operation, request: Request, server: number, token: string): Promise<void> {
    const attempt: Attempt = { server, from: performance.now(), to: 0, outcome: 'unknown', status: 0 };
    // Written down before it is sent: an attempt counts even if the program is interrupted.
    operation.attempts.push(attempt);
    const answer = await this.#send(request, server, token).catch(() => undefined);
    attempt.to = performance.now();
    if (answer) Object.assign(attempt, readAnswer(answer, request));
  }

  /** Rejects without a complete answer. */
  async #send(request: Request, server: number, token: string): Promise<Answer> {
    const response = await fetch(`${this.#recorder.addresses.urls[server]}${request.path}`, {
      method: request.method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(request.body !== undefined && { 'content-type': 'application/json' }),
        ...request.headers,
      },
      ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  }
}

const isUnsettled = (operation: Operation): boolean =>
  outcomeOf(operation) === 'unknown' &&
  operation.attempts.every(({ unreadable, hasRun }) => unreadable === undefined && !hasRun);

interface Answer {
  status: number;
  headers: Headers;
  text: string;
}

function readAnswer(answer: Answer, request: Request): Partial<Attempt> {
  const { headers, text } = answer;
  const unreadable = `${request.method} ${request.path}: ${text.slice(0, 500)}`;
  let body: unknown;
  let status = answer.status;
  try {
    body = text === '' ? undefined : JSON.parse(text);
    status = statusIn(answer.status, body);
  } catch {
    if (status < 300) return { status, unreadable };
  }
  // A 503 says that nothing is known: the commit may have been under way. A 408 asks to repeat the request (RFC 9110,
  // 15.5.9): it has not arrived in time, as while its server was paused.
  if (status === 503 || status === 408) return { status };
  if (status >= 500) return { status, outcome: 'refused', text };
  if (status >= 300) return hasRun(status, body) ? { status, hasRun: true } : { status, outcome: 'refused' };
  try {
    return { status, outcome: 'done', output: request.read(body, headers) };
  } catch {
    return { status, unreadable };
  }
}

/** Whether an error concerns the response of a command alone, which is read after its commit. */
const hasRun = (status: number, body: unknown): boolean =>
  status === 404 && JSON.stringify(body).includes(' has run, but its result ');

/** The statuses that codes of errors in the graph have in REST. */
const STATUSES: Record<string, number> = {
  BAD_USER_INPUT: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  PRECONDITION_FAILED: 412,
  RATE_LIMITED: 429,
  SERVICE_UNAVAILABLE: 503,
};

function statusIn(status: number, body: unknown): number {
  const [error] = (body as { errors?: { extensions?: { code?: string } }[] } | undefined)?.errors ?? [];
  return error ? (STATUSES[error.extensions?.code ?? ''] ?? 500) : status;
}

export { outputOf };
