import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Request } from 'autocannon';
import { type Caller, TOKENS } from './fill/people.ts';
import type { ServerProcess } from './processes.ts';

/** The requests as somebody sends them. */
export const asCaller = (requests: readonly Request[], caller: Caller): Request[] =>
  requests.map((request) => ({
    ...request,
    headers: { ...request.headers, authorization: `Bearer ${TOKENS[caller]}` },
  }));

/** Answers of a server to one request: what it said, and how many statements it says it took. */
export interface Answer {
  body: unknown;
  statements: number;
}

/** Asks once, and throws unless the answer is a good one. */
export async function askOnce({ url }: ServerProcess, request: Request | undefined): Promise<Answer> {
  if (!request) throw new Error('The database has nothing to ask for.');
  const { method = 'GET', path = '/', headers = {}, body } = request;
  const response = await fetch(`${url}${path}`, {
    method,
    headers: headers as Record<string, string>, // workloads give plain ones
    ...(body === undefined ? {} : { body: String(body).replace('[<id>]', randomUUID()) }),
  });
  const text = await response.text();
  const answer = JSON.parse(text) as { errors?: unknown }; // any object
  if (!response.ok || answer.errors)
    throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 500)}`);
  const statements = Number(/desc="(\d+)"/.exec(response.headers.get('server-timing') ?? '')?.[1]);
  return { body: answer, statements };
}

/**
 * Throws unless two servers say the same, apart from members that are never the same twice. With `isPart`, the other one may
 * leave members out.
 */
export function expectSame(
  what: string,
  ours: unknown,
  theirs: unknown,
  varying: readonly string[] = [],
  { isPart = false } = {},
): void {
  const comparable = (value: unknown) =>
    JSON.parse(JSON.stringify(value, (name, member) => (varying.includes(name) ? typeof member : member)));
  const [left, right] = [comparable(ours), comparable(theirs)];
  if (isDeepStrictEqual(isPart ? partOf(left, right) : left, right)) return;
  const shown = (value: unknown) => JSON.stringify(value).slice(0, 600);
  throw new Error(`${what}: the other server answers something else.\n${shown(ours)}\n${shown(theirs)}`);
}

/** What a value has of the members of another one. */
function partOf(value: unknown, of: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(of)) return value.map((item, index) => partOf(item, of[index]));
  if (typeof value !== 'object' || value === null || typeof of !== 'object' || of === null) return value;
  const members = value as Record<string, unknown>; // JSON
  return Object.fromEntries(
    Object.entries(of).flatMap(([name, other]) => (name in members ? [[name, partOf(members[name], other)]] : [])),
  );
}
