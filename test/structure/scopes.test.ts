import { expect, test } from 'vitest';
import { scope as scopes } from '../../src/platform/access/scopes.ts';
import type { Operation } from '../../src/platform/operation/operation.ts';
import { routes } from '../../src/routes.ts';
import { schema } from '../../src/schema.ts';
import { Client, type RestAnswer } from '../client.ts';
import { isThorough } from '../how-thorough.ts';
import { world } from '../world.ts';
import { callMutation, callRoute } from './calls.ts';
import { absentIds } from './furnish.ts';
import { findOperations } from './operations.ts';

/*
 * Each command names the scopes that a restricted token needs. The tokens here are of an admin, and the ids of nothing,
 * so that what is not refused for its scope changes nothing.
 */

const here = await world();
const { admin, url } = here;
const commands = (await findOperations()).filter(({ operation }) => operation.kind === 'command');
const mutations = commands.filter(({ operation }) => schema.getMutationType()?.getFields()[operation.operationName]);
const ofCommands = routes.filter(({ operation }) => operation?.kind === 'command');

const neededBy = ({ scope }: Pick<Operation, 'scope'>) => [scope].flat();

async function restrictedTo(...wanted: string[]): Promise<Client> {
  const { body } = await admin.post('/v1/user/tokens', { label: wanted.join(), scopes: wanted });
  return new Client(url, body.secret);
}

/** Whether a response refuses the token for its scopes, and says which it needs. */
function isMissingScope({ status, headers, body }: RestAnswer, operation: Pick<Operation, 'scope'>): boolean {
  const text = JSON.stringify(body);
  if (!text.includes('does not have the scope')) return false;
  const [scope] = neededBy(operation);
  if (!text.includes('"errors"')) {
    expect(status).toBe(403);
    expect(headers.get('www-authenticate')).toMatch(
      `Bearer error="insufficient_scope", scope="${scope}", resource_metadata="`,
    );
  }
  return true;
}

/**
 * `npm run test:thorough` tries every route with every scope that it does not need, other runs with every third of
 * them, which changes from route to route.
 */
const every = isThorough ? 1 : 3;

test('every scope is needed by a command, and no command by anything else', () => {
  const needed = commands.flatMap(({ operation }) => neededBy(operation));
  expect([...new Set(needed)].sort()).toEqual([...scopes.options].sort());
});

test.each(scopes.options)(
  'a token with the scope "%s" can use the routes that need it, and no others',
  async (scope) => {
    const client = await restrictedTo(scope);
    for (const [index, route] of ofCommands.entries()) {
      const { operation } = route;
      if (!operation) continue;
      const isAllowed = neededBy(operation).some((each) => each === 'read' || each === scope);
      if (!isAllowed && (index + scopes.options.indexOf(scope)) % every !== 0) continue;
      const answer = await callRoute(client, route, absentIds);
      expect(isMissingScope(answer, operation), `${route.operationId}: ${JSON.stringify(answer.body)}`).toBe(
        !isAllowed,
      );
    }
  },
  120_000,
);

test('a token with the scope "read" gets no list in the graph that needs another scope', async () => {
  const client = await restrictedTo('read');
  const { organizationId } = here;
  const lists = ['linkInvites', 'invites', 'webhooks', 'events'];
  for (const list of lists) {
    const query = `query ($id: ID!) { organization(id: $id) { ${list}(first: 1) { totalCount } } }`;
    const { body } = await client.graphqlRaw(query, { id: organizationId });
    expect(JSON.stringify(body), list).toContain('does not have the scope');
  }
});

test('a token with the scope "read" can use no mutation that changes something', async () => {
  const client = await restrictedTo('read');
  for (const { operation } of mutations) {
    const isAllowed = neededBy(operation).includes('read');
    const answer = await callMutation(client, operation, absentIds);
    expect(isMissingScope(answer, operation), `${operation.operationName}: ${JSON.stringify(answer.body)}`).toBe(
      !isAllowed,
    );
  }
}, 120_000);
