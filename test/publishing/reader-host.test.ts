import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { world } from '../world.ts';
import { publishedSite, spaceWith } from './reader-world.ts';

const { admin, organizationId, url } = await world({ SITES_URL: 'http://sites.acme.example:8080' });

/** Requests a path with another host than that of the connection. */
function showAt(host: string, path: string): Promise<{ status: number | undefined; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}${path}`, { headers: { host } }, (response) => {
      text(response).then((body) => resolve({ status: response.statusCode, body }), reject);
    });
    sent.on('error', reject).end();
  });
}

test('sites on a host of their own are served there only', async () => {
  const { spaceId } = await spaceWith(admin, organizationId, 'Guides', [
    { title: 'Welcome', document: { markdown: 'Hello.' } },
    { title: 'Setup', document: { markdown: 'Set it up.' } },
  ]);
  const { base } = await publishedSite(admin, organizationId, { title: 'Acme Docs', spaces: [spaceId] });
  expect(base).toBe(`/${organizationId}/acme-docs`);
  const shown = await showAt('sites.acme.example:8080', `${base}/setup`);
  expect([shown.status, shown.body.includes('<h1>Setup</h1>')]).toEqual([200, true]);
  expect(shown.body).toContain(`<a href="${base}/">Welcome</a>`);
  expect(shown.body).toContain(`<link rel="canonical" href="http://sites.acme.example:8080${base}/setup">`);
  const elsewhere = await showAt('api.acme.example', `${base}/setup`);
  expect([elsewhere.status, JSON.parse(elsewhere.body).error.code]).toEqual([404, 404]);
});
