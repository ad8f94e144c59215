import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { Caller, type Recorder } from './caller.ts';
import type { Attempt, Operation } from './history.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const POSTED = JSON.stringify({ id: 'comment_1', body: { markdown: 'w0xa' } });
let close: (() => void) | undefined;

afterEach(() => close?.());

/** The attempts of a comment, when each request is answered by the next of these. */
async function attemptsOf(...answers: ((response: ServerResponse) => void)[]): Promise<Partial<Attempt>[]> {
  const server = createServer((request, response) => {
    request.resume();
    answers.shift()?.(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  close = () => server.close().closeAllConnections();
  const operations: Operation[] = [];
  const recorder: Recorder = {
    addresses: { urls: [`http://127.0.0.1:${(server.address() as AddressInfo).port}`] },
    organizationId: 'org_1',
    operations,
    giveUp: new AbortController(),
    calmSince: () => 0,
    stepTaken() {},
  };
  const caller = new Caller('a', { userId: 'user_1', token: 'token' }, recorder);
  const input = { spaceId: 'space_1', word: 'w0xa' };
  await caller.ask({ name: 'postComment', transport: 'rest', server: 0, input });
  return operations.flatMap(({ attempts }) => attempts);
}

const answer = (status: number, text: string) => (response: ServerResponse) =>
  void response.writeHead(status, JSON_TYPE).end(text);

test('an answer that is cut, a 503 and a 408 leave the outcome unknown, so that the request is repeated', async () => {
  const cut = (response: ServerResponse) => {
    response.writeHead(201, { ...JSON_TYPE, 'content-length': '100' }).write('{');
    setImmediate(() => response.destroy());
  };
  expect(await attemptsOf(cut, answer(503, 'Busy'), answer(408, 'Late'), answer(201, POSTED))).toMatchObject([
    { outcome: 'unknown', status: 0 },
    { outcome: 'unknown', status: 503 },
    { outcome: 'unknown', status: 408 },
    { outcome: 'done', status: 201, output: { commentId: 'comment_1' } },
  ]);
});

test('an error that is not JSON is a refusal with its status', async () => {
  expect(await attemptsOf(answer(500, 'Internal Server Error'))).toMatchObject([{ outcome: 'refused', status: 500 }]);
});

test('a success that cannot be read is written down and not repeated', async () => {
  for (const text of ['Hello', '']) {
    const [attempt, ...others] = await attemptsOf(answer(200, text));
    expect(attempt).toMatchObject({ outcome: 'unknown', status: 200, unreadable: expect.stringContaining(text) });
    expect(others).toEqual([]);
  }
});
