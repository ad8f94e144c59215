import { expect, test } from 'vitest';
import { listening } from '../mcp/sdk-client.ts';
import { spaceWith } from '../publishing/reader-world.ts';
import { follow } from '../stream.ts';
import { world } from '../world.ts';

// A heartbeat comes after fifteen seconds, so that both streams wait together.

const { app, admin, reader, organizationId, url } = await world();

const late = { timeout: 50_000, interval: 100 };

test.concurrent('an idle subscription of the graph gets heartbeats', { timeout: 90_000 }, async () => {
  const query = 'subscription($org: ID!) { eventRecorded(organizationId: $org) { id } }';
  const stream = await follow(app, admin, { query, variables: { org: organizationId } });
  const beats = () => stream.frames.filter(({ isComment }) => isComment).length;
  await expect.poll(beats, late).toBe(2);
  stream.close();
});

test.concurrent('an idle stream of an agent gets heartbeats', { timeout: 90_000 }, async () => {
  const { spaceId, pageIds } = await spaceWith(admin, organizationId, 'Guides', [{ title: 'One' }]);
  const { message, headers } = listening([`stemma://spaces/${spaceId}/pages/${pageIds[0]}`]);
  const leaving = new AbortController();
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      ...headers,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${reader.token}`,
    },
    body: JSON.stringify({ ...message }),
    signal: leaving.signal,
  });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  let text = '';
  const read = async () => {
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) text += chunk;
  };
  const reading = read().catch(() => {});
  await expect.poll(() => text, late).toMatch(/acknowledged.*\n\n:\n\n$/s);
  leaving.abort();
  await reading;
});
