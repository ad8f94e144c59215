import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Route } from '../../src/platform/http/route.ts';
import type { IdPrefix } from '../../src/platform/ids/ids.ts';
import { routes } from '../../src/routes.ts';
import { world } from '../world.ts';
import { addressOf, idsFor } from './calls.ts';
import { readExamples } from './examples.ts';
import { furnish, type Ids } from './furnish.ts';
import { findOperations } from './operations.ts';
import { newMember } from './principals.ts';

/*
 * A repetition with an idempotency key does not run the command, which checks permissions. So what a repetition shows
 * is checked by loading the resources of the stored output, by `readAgain`, or by `authorize`.
 */

const organization = await world();
const { admin, organizationId, app, url } = organization;
const ids: Ids = await furnish(admin, organizationId);
const former = await newMember(organization, { role: 'admin' });
const examples = readExamples().operations;

/** The example of a request, with the IDs of this organization. */
function exampleFor(route: Route): unknown {
  const idsByPrefix = idsFor(route, ids);
  const text = JSON.stringify(examples[route.operationId]?.request ?? {});
  return JSON.parse(
    text.replaceAll(/"([a-z]+)_01jd\d{22}"/g, (id, prefix: IdPrefix) =>
      idsByPrefix[prefix] === undefined ? id : JSON.stringify(idsByPrefix[prefix]),
    ),
  );
}

const BODIES: Record<string, (route: Route) => unknown> = { empty: () => ({}), example: exampleFor };

interface Request {
  route: Route;
  body: unknown;
  key: string;
}

/** Routes about the account of the caller, and what the caller founds. */
const isOwn = ({ path }: Route) => /^\/v1\/(?:users?\b|orgs$)/.test(path);

const requests: Request[] = routes
  .filter(({ operation, streamedBody }) => operation?.kind === 'command' && streamedBody === undefined)
  .filter((route) => !isOwn(route))
  // Deletions come last.
  .sort((one, other) => Number(one.method === 'DELETE') - Number(other.method === 'DELETE'))
  .flatMap((route) =>
    Object.entries(BODIES).map(([name, bodyOf]) => ({
      route,
      body: bodyOf(route),
      key: `${route.operationId} ${name}`,
    })),
  );

/** Returns the body as text, since an export is not one JSON value. */
async function send({ route, body, key }: Request): Promise<{ status: number; text: string }> {
  const { method } = route;
  const response = await fetch(`${url}${addressOf(route, ids)}`, {
    method,
    headers: {
      authorization: `Bearer ${former.token}`,
      'idempotency-key': key,
      ...(method !== 'DELETE' && { 'content-type': 'application/json' }),
    },
    ...(method !== 'DELETE' && { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}

test('a former admin who repeats requests with their keys is shown nothing', { timeout: 300_000 }, async () => {
  const done: Request[] = [];
  for (const request of requests) if ((await send(request)).status < 300) done.push(request);
  expect(done.map(({ route }) => route.operationId)).toEqual(
    expect.arrayContaining([
      'exportOrganizationAuditEvents',
      'updateSitePublishingAuthById',
      'updateSiteAdaptiveSchema',
      'updateOrganizationAgentInstructions',
    ]),
  );
  await app.services.db.deleteFrom('membership').where('userId', '=', former.userId).execute();
  const shown: string[] = [];
  for (const request of done) {
    const { status, text } = await send(request);
    if (status < 400 && text !== '' && text !== '{}') shown.push(`${request.key}: ${status} ${text.slice(0, 200)}`);
  }
  expect(shown).toEqual([]);
});

/** Commands whose output is the caller's own, or only says what was deleted or joined. */
const WITHOUT_AUTHORIZE = [
  'acceptInvite',
  'deletePasskey',
  'endSession',
  'joinOrganization',
  'joinWithLinkInvite',
  'revokeApiToken',
  'revokeOAuthGrant',
  'updatePasskey',
  'verifyEmail',
];

test('every other command declares who may repeat it', async () => {
  const commands = (await findOperations()).filter(({ operation }) => operation.kind === 'command');
  const others = commands.filter(
    ({ file }) => !/^ {2}(?:async )?authorize\b/m.test(readFileSync(`src/${file}`, 'utf8')),
  );
  expect(others.map(({ operation }) => operation.operationName).sort()).toEqual(WITHOUT_AUTHORIZE);
});
