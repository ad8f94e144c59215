import pino from 'pino';
import { afterAll, expect, test } from 'vitest';
import { createApp } from '../../../src/app.ts';
import { Client } from '../../client.ts';
import { withoutTitle } from '../../without-title.ts';
import { world } from '../../world.ts';
import { arrangeIn } from '../reviews/arrange.ts';

const site = await world();
const { app, databaseUrl, editor, reviewer, reader } = site;
const arrange = arrangeIn(site);

const other = await createApp({
  config: app.services.config,
  databaseUrl,
  secretKey: app.services.secretKeys.current,
  log: pino({ level: 'error' }),
});
afterAll(() => other.close());
const elsewhere = new Client(`http://127.0.0.1:${await other.listen()}`, reviewer.token, reviewer.userId);

const write = (pageId: string | undefined, markdown: string) => ({ updatePage: { pageId, document: { markdown } } });

test('merges into one space by two processes run one after the other', async () => {
  const places = Array.from({ length: 10 }, (_, index) => index);
  const body = (at?: number) => places.map((place) => `Place ${place}${place === at ? ', changed' : ''}.`).join('\n\n');
  const { spaceId, pageIds } = await arrange.space(body());
  const made: string[] = [];
  for (const place of places) {
    const id = await arrange.changeRequest(editor, spaceId);
    await arrange.edit(editor, id, write(pageIds[0], body(place)));
    made.push(id);
  }
  const path = (id: string) => `/v1/spaces/${spaceId}/change-requests/${id}/merge`;
  const answers = await Promise.all(made.flatMap((id) => [reviewer.post(path(id)), elsewhere.post(path(id))]));
  expect(answers.map(({ status, body: { result } }) => [status, result])).toEqual(answers.map(() => [200, 'merge']));
  expect(new Set(answers.map(({ body: { revision } }) => revision)).size).toBe(places.length);
  const page = await reader.get(`/v1/spaces/${spaceId}/content/page/${pageIds[0]}?format=markdown`);
  expect(withoutTitle(page.body.markdown)).toBe(`${places.map((place) => `Place ${place}, changed.`).join('\n\n')}\n`);
});

test('a change request is found only below its own space', async () => {
  const { spaceId } = await arrange.space('One.');
  const id = await arrange.changeRequest(editor, (await arrange.space('Two.')).spaceId);
  const path = `/v1/spaces/${spaceId}/change-requests/${id}`;
  const statuses = await Promise.all([
    reviewer.post(`${path}/merge`),
    reviewer.post(`${path}/update`),
    reviewer.post(`${path}/conflicts/resolve`, { resolutions: [] }),
    reviewer.get(`${path}/conflicts`),
    reviewer.get(`${path}/reviews`),
  ]);
  expect(statuses.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
});
