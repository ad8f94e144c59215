import { expect, test } from 'vitest';
import { startSession } from '../../../src/domain/people/sessions/index.ts';
import { publishedSiteRoutes } from '../../../src/domain/publishing/reader/web.ts';
import { jobContext } from '../../../src/platform/jobs/job.ts';
import { transact } from '../../../src/platform/operation/transact.ts';
import { routes } from '../../../src/routes.ts';
import { webRoutes } from '../../../src/web-routes.ts';
import { world } from '../../world.ts';

const PUBLIC_URL = 'https://docs.example.com';
const SITES_URL = 'https://sites.example.net/docs';
const made = await world({ PUBLIC_URL, SITES_URL, RATE_LIMIT: '0' });
const { admin, anonymous, organizationId, app } = made;
const organization = `/v1/orgs/${organizationId}`;

const { secret } = await transact(jobContext(app.services, 'test'), (ctx) =>
  startSession(ctx, { userId: admin.userId }),
);
const cookie = `__Host-stemma_session=${secret}`;

const FOREIGN: [string, Record<string, string>][] = [
  ['no origin', {}],
  ['another origin', { origin: 'https://evil.example' }],
  ['an opaque origin', { origin: 'null' }],
  ['the host of published sites', { origin: new URL(SITES_URL).origin }],
  ['another scheme', { origin: 'http://docs.example.com' }],
  ['another port', { origin: `${PUBLIC_URL}:8443` }],
  ['a subdomain', { origin: 'https://a.docs.example.com' }],
  ['the URL with a path', { origin: `${PUBLIC_URL}/` }],
];

const RENAME = `mutation { updateOrganization(input: { organizationId: "${organizationId}", title: "Renamed" }) { organization { title } } }`;

const titleNow = async () => (await admin.get(organization)).body.title;

test.each(FOREIGN)('a change with a session and %s is refused in REST and in the graph', async (_name, headers) => {
  const inRest = await anonymous.send('PATCH', organization, { title: 'Renamed' }, { cookie, ...headers });
  const inGraph = await anonymous.send('POST', '/graphql', { query: RENAME }, { cookie, ...headers });
  for (const { status, body } of [inRest, inGraph]) {
    expect([status, body.error.code, body.error.message]).toEqual([
      403,
      403,
      `Requests with a session cookie must come from a page of this service, with the header "Origin: ${PUBLIC_URL}". Other clients need an access token.`,
    ]);
  }
  expect(await titleNow()).toBe('Acme');
});

test('a change with a session and the origin of the service is made', async () => {
  const own = { cookie, origin: PUBLIC_URL };
  expect((await anonymous.send('PATCH', organization, { title: 'Renamed' }, own)).status).toBe(200);
  expect(await titleNow()).toBe('Renamed');
  const back = RENAME.replace('Renamed', 'Acme');
  const { body } = await anonymous.send('POST', '/graphql', { query: back }, own);
  expect(body.data.updateOrganization.organization.title).toBe('Acme');
});

test('a token works from any origin, and needs none', async () => {
  for (const [, headers] of FOREIGN) {
    const { status } = await admin.send('PATCH', organization, { title: 'Acme' }, { cookie, ...headers });
    expect(status).toBe(200);
    const graph = await admin.send('POST', '/graphql', { query: '{ viewer { id } }' }, headers);
    expect(graph.body.data.viewer.id).toBe(admin.userId);
  }
});

const pathOf = (path: string) => path.replace(/:\w+(\(.*?\)$)?/g, 'something').replace(/\*$/, 'something');

test('every route that changes something refuses a session with another origin', async () => {
  const changing = routes.filter(({ method }) => method !== 'GET');
  expect(changing.length).toBeGreaterThan(100);
  const statuses = await Promise.all(
    changing.map(async ({ method, path }) => {
      const { status } = await anonymous.send(method, pathOf(path), {}, { cookie, origin: 'https://evil.example' });
      return `${method} ${path} ${status}`;
    }),
  );
  expect(statuses.filter((line) => !line.endsWith(' 403'))).toEqual([]);
});

const SERVICE_PATHS = ['/', '/graphql', '/v1', '/metrics', '/healthz', '/readyz', '/handbook', '/nothing'];

test('no route allows other origins to send credentials', async () => {
  const all = [...routes, ...webRoutes, ...publishedSiteRoutes(app.services.config)].map(({ path }) => pathOf(path));
  const paths = [...new Set([...SERVICE_PATHS, ...all])];
  expect(paths.length).toBeGreaterThan(150);
  for (const origin of ['https://evil.example', new URL(SITES_URL).origin]) {
    const preflight = { cookie, origin, 'access-control-request-method': 'POST' };
    const answers = await Promise.all(
      paths.flatMap((path) => [
        anonymous.send('GET', path, undefined, { cookie, origin }),
        anonymous.send('OPTIONS', path, undefined, preflight),
      ]),
    );
    for (const { headers } of answers) {
      expect(headers.get('access-control-allow-credentials')).toBeNull();
      expect(headers.get('access-control-allow-origin')).toBe('*');
    }
  }
});

test('a response to a session from the service itself does not name its origin either', async () => {
  for (const path of ['/v1/user', '/graphql?query={viewer{id}}']) {
    const { status, headers } = await anonymous.send('GET', path, undefined, { cookie, origin: PUBLIC_URL });
    expect([status, headers.get('access-control-allow-origin')]).toEqual([200, '*']);
    expect(headers.get('access-control-allow-credentials')).toBeNull();
  }
});
