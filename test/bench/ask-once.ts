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

/** How two right answers may differ. */
export interface Tolerance {
  /** Members that are never the same twice; their types are compared. */
  varying?: readonly string[] | undefined;
  /** Members that the other server has not at all. */
  leftOut?: readonly string[] | undefined;
}

/** Throws unless another server says the same as ours. */
export function expectSame(
  what: string,
  ours: unknown,
  theirs: unknown,
  { varying = [], leftOut = [] }: Tolerance,
): void {
  const comparable = (value: unknown, without: readonly string[] = []) =>
    JSON.stringify(value, (name, member) => {
      if (without.includes(name)) return undefined;
      return varying.includes(name) ? typeof member : member;
    });
  const [left, right] = [comparable(ours, leftOut), comparable(theirs)];
  if (isDeepStrictEqual(JSON.parse(left), JSON.parse(right))) return;
  const begin = Math.max(0, [...left].findIndex((character, index) => character !== right[index]) - BEFORE);
  const shown = (text: string) => text.slice(begin, begin + SHOWN);
  throw new Error(`${what}: the other server answers something else.\n${shown(left)}\n${shown(right)}`);
}

/** How much of two answers an error shows, and of that, before the first difference. */
const SHOWN = 600;
const BEFORE = 200;
