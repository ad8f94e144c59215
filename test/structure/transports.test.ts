import { expect, test } from 'vitest';
import { permissions } from '../../src/domain/people/access/index.ts';
import { operationsInGraph } from '../../src/platform/graphql/operations-in-graph.ts';
import { routes } from '../../src/routes.ts';
import { schema } from '../../src/schema.ts';
import { descriptionsOf } from '../shapes.ts';
import { onlyInGraph, onlyInRest } from './one-transport.ts';
import { findOperations } from './operations.ts';

const found = await findOperations();
const names = found.map(({ operation }) => operation.operationName);
const inGraph = operationsInGraph();
const inRest = new Set(routes.flatMap(({ operation }) => (operation ? [operation.operationName] : [])));

test('operations are found, and are exported under their names', () => {
  expect(found.length).toBeGreaterThan(0);
  expect(found.filter(({ exportedAs, operation }) => exportedAs !== operation.operationName)).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
});

test('every operation is on both transports, or is listed with a reason', () => {
  const missingInGraph = names.filter((name) => !inGraph.has(name) && !(name in onlyInRest));
  const missingInRest = names.filter((name) => !inRest.has(name) && !(name in onlyInGraph));
  expect({ missingInGraph, missingInRest }).toEqual({ missingInGraph: [], missingInRest: [] });
});

test('the exceptions exist, are on one transport, and have a reason', () => {
  for (const [name, reason] of Object.entries({ ...onlyInGraph, ...onlyInRest })) {
    expect([name, names.includes(name), reason.split(' ').length > 3]).toEqual([name, true, true]);
  }
  expect(Object.keys(onlyInGraph).filter((name) => inRest.has(name))).toEqual([]);
  expect(Object.keys(onlyInRest).filter((name) => inGraph.has(name))).toEqual([]);
});

test('every command is the mutation with its name', () => {
  const mutations = Object.keys(schema.getMutationType()?.getFields() ?? {});
  const commands = found.filter(
    ({ operation }) => operation.kind === 'command' && !(operation.operationName in onlyInRest),
  );
  expect(mutations).toEqual(commands.map(({ operation }) => operation.operationName).sort());
});

test('every operation has an entry in the permissions, and every entry an operation', () => {
  /** Lines for a part of an operation that needs more than the rest of it. */
  const parts: Record<string, string> = {
    updateSpaceSettings: 'updateSpace',
    updateCollectionSettings: 'updateCollection',
    updateForeignChangeRequest: 'updateChangeRequest',
  };
  const lines = Object.keys(permissions).filter((name) => !(name in parts));
  expect(lines.sort()).toEqual(names.toSorted());
  expect(Object.values(parts).filter((name) => !names.includes(name))).toEqual([]);
});

const withoutNames = (path: string) => path.replace(/\{[^}]+\}|:\w+/g, '{}');

test('every route of the published description has its path', () => {
  const wrong = routes.filter(({ operationId, method, path }) => {
    const described = [...descriptionsOf(operationId)];
    const address = (there: { method: string; path: string }) => `${there.method} ${withoutNames(there.path)}`;
    return described.length > 0 && !described.some((there) => address(there) === `${method} ${withoutNames(path)}`);
  });
  expect(wrong.map(({ operationId, method, path }) => `${operationId}: ${method} ${path}`)).toEqual([]);
});

test('no two routes share an address, nor an operation id', () => {
  const addresses = routes.map(({ method, path }) => `${method} ${withoutNames(path)}`);
  expect(addresses.filter((address, index) => addresses.indexOf(address) !== index)).toEqual([]);
  const ids = routes.map(({ operationId }) => operationId);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});
