import { expect, test } from 'vitest';
import { type Permission, permissions } from '../../src/domain/people/access/index.ts';
import { ROLES } from '../../src/platform/access/roles.ts';
import { API_ERRORS } from '../../src/platform/errors/errors.ts';
import type { Route } from '../../src/platform/http/route.ts';
import type { Operation } from '../../src/platform/operation/operation.ts';
import { routes } from '../../src/routes.ts';
import type { Client, RestAnswer } from '../client.ts';
import { sampled } from '../how-thorough.ts';
import { world } from '../world.ts';
import { callMutation, callRoute, isDeletion, textsOf } from './calls.ts';
import { furnish } from './furnish.ts';
import { onlyInRest } from './one-transport.ts';
import { findOperations } from './operations.ts';

const { admin, reader, outsider, anonymous, organizationId } = await world();
const ids = await furnish(admin, organizationId);

/**
 * A call of a command with something wrong: a 400 for those who may call it. Answers the status, or that of the error.
 */
interface Wrong {
  operation: Operation;
  /** Undefined in the graph. */
  path?: string;
  call(by: Client): Promise<number>;
}

type Faults<Of> = Record<string, (by: Client, of: Of) => Promise<RestAnswer>>;

const LONG_KEY = 'x'.repeat(300);

const WRONG_TYPES = 'members of another type';

const IN_REST: Faults<Route> = {
  [WRONG_TYPES]: (by, route) => callRoute(by, route, ids, wrongBody(route)),
  'a body that is no object': (by, route) => callRoute(by, route, ids, [1]),
  'an idempotency key that is too long': (by, route) =>
    callRoute(by, route, ids, undefined, { 'idempotency-key': LONG_KEY }),
};

const LONG_TEXT = 'a text that is too long';

/** What the types of the graph allow and rules do not. */
const IN_GRAPH: Faults<Operation> = {
  [LONG_TEXT]: (by, operation) => callMutation(by, operation, ids, longText(operation)),
  'an idempotency key that is too long': (by, operation) =>
    callMutation(by, operation, ids, { idempotencyKey: LONG_KEY }),
};

/** Every member that the operation knows, by REST's name, with a value that none can have. */
function wrongBody({ operation, about }: Route): Record<string, unknown> {
  const names = new Map(Object.entries(about.rename ?? {}).map(([theirs, ours]) => [ours, theirs]));
  const members = about.body ? Object.keys(about.body.shape) : Object.keys(operation?.input.shape ?? {});
  return Object.fromEntries(members.map((name) => [names.get(name) ?? name, { wrong: [{}] }]));
}

/** The first text that the mutation takes, longer than it may be, and short enough for a request without a token. */
function longText(operation: Operation): Record<string, string> {
  const [name = ''] = textsOf(operation);
  return { [name]: 'x'.repeat(60_000) };
}

const permissionOf = ({ operationName }: Operation): Permission =>
  (permissions as Record<string, Permission>)[operationName] ?? {};

/** Commands that these faults say nothing about, and why. */
const LEFT_OUT: Record<string, string> = {
  redeliverWebhookEvent: 'nothing is delivered here',
  acceptInvite: 'it needs no token: the secret in the body decides',
  moveSiteSpace: 'an unknown member of a position is ignored, and the last position taken',
  moveSiteSection: 'an unknown member of a position is ignored, and the last position taken',
  moveSiteSectionGroup: 'an unknown member of a position is ignored, and the last position taken',
};

/** A deletion has no body, and some bodies are no JSON. */
const takesJson = ({ method, streamedBody }: Route) => method !== 'DELETE' && streamedBody === undefined;

const inRest = routes.flatMap((route) => {
  const { operation, method, path } = route;
  if (operation?.kind !== 'command' || operation.operationName in LEFT_OUT) return [];
  return Object.entries(IN_REST)
    .filter(([fault]) => takesJson(route) || fault.startsWith('an idempotency'))
    .map(([fault, call]): [string, string, Wrong] => [
      `${method} ${path}`,
      fault,
      { operation, path, call: async (by) => (await call(by, route)).status },
    ]);
});

const commands = (await findOperations())
  .map(({ operation }) => operation)
  .filter(
    ({ kind, operationName }) => kind === 'command' && !(operationName in LEFT_OUT || operationName in onlyInRest),
  );

const inGraph = commands.flatMap((operation) =>
  Object.entries(IN_GRAPH)
    .filter(([fault]) => fault !== LONG_TEXT || textsOf(operation).length > 0)
    .map(([fault, call]): [string, string, Wrong] => [
      operation.operationName,
      fault,
      { operation, call: async (by) => statusOf(await call(by, operation)) },
    ]),
);

/** The status of the error in REST. */
function statusOf({ body }: RestAnswer): number {
  const code = body.errors?.[0].extensions.code;
  return code === undefined ? 200 : API_ERRORS[code as keyof typeof API_ERRORS]; // of the graph, where codes are the same
}

const cases = sampled([...inRest, ...inGraph], 2);

test.each(cases)('%s with %s is 401 without a token', async (_address, _fault, { call }) => {
  expect(await call(anonymous)).toBe(401);
});

const isTargeted = ({ operation }: Wrong) =>
  (['organization', 'space', 'collection', 'content'] as const).some((kind) => kind in permissionOf(operation));
/** What is deleted by its own id alone is as good as deleted for a stranger (docs/decisions/api.md, Errors). */
const isIdempotentDeletion = ({ operation, path }: Wrong) =>
  isDeletion(operation.operationName) && (path === undefined || path.split('/:').length <= 2);

test.each(cases.filter(([, , wrong]) => isTargeted(wrong) && !isIdempotentDeletion(wrong)))(
  '%s with %s is 404 for an outsider',
  async (_address, _fault, { call }) => {
    expect(await call(outsider)).toBe(404);
  },
);

/**
 * Whether a member who can read everything may still not do this. An import's space is named in the body, so it is not
 * known here.
 */
function isBeyondReaders({ operation }: Wrong): boolean {
  if (operation.operationName === 'startImportRun') return false;
  const { space, collection, content, organization, operator } = permissionOf(operation);
  const isAbove = [space, collection, content].some(
    (role) => role !== undefined && role !== 'view' && ROLES.indexOf(role) > ROLES.indexOf('read'),
  );
  return isAbove || operator === true || organization === 'admin' || organization === 'createContent';
}

/** Whether readers do not see the target, which is then absent for them. */
function isHiddenFromReaders({ operation, path }: Wrong): boolean {
  const { hidden } = permissionOf(operation);
  const isNamedAlone = path === undefined || path.split('/:').length <= 2;
  return hidden !== undefined && hidden.below !== 'read' && (isNamedAlone || hidden.within === true);
}

const beyondReaders = cases.filter(([, , wrong]) => isBeyondReaders(wrong));

test.each(beyondReaders.filter(([, , wrong]) => !isHiddenFromReaders(wrong)))(
  '%s with %s is 403 for a reader',
  async (_address, _fault, { call }) => {
    expect(await call(reader)).toBe(403);
  },
);

/** Deletions of what is absent are valid, so that the fault is reported. */
const isDeleting = ({ operation }: Wrong) => isDeletion(operation.operationName);

test.each(beyondReaders.filter(([, , wrong]) => isHiddenFromReaders(wrong)))(
  '%s with %s is as for an absent target for a reader',
  async (_address, _fault, wrong) => {
    expect(await wrong.call(reader)).toBe(isDeleting(wrong) ? 400 : 404);
  },
);

/** A command that takes no member in its body has none of another type. */
const isRight = (fault: string, { operation, path }: Wrong) =>
  fault === WRONG_TYPES &&
  routes.some(
    (route) =>
      route.operation === operation &&
      route.path === path &&
      Object.keys(wrongBody(route)).every((name) => path.includes(name)),
  );

test.each(cases.filter(([, fault, wrong]) => !isRight(fault, wrong)))(
  '%s with %s is 400 for a permitted caller',
  async (_address, _fault, { call }) => {
    expect(await call(admin)).toBe(400);
  },
);
