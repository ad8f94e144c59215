import { expect, test } from 'vitest';
import { describedAt, expectShape } from './shapes.ts';

const user = {
  object: 'user',
  id: 'user_1',
  displayName: 'Ada',
  urls: { location: 'https://docs.example/v1/users/user_1' },
};

test('accepts a body of the described shape', () => {
  expectShape('getAuthenticatedUser', 200, user);
  expectShape('getAuthenticatedUser', 401, { error: { code: 401, message: 'No token.' } });
  expectShape('deleteSpaceById', 204, '');
});

test('reports properties that are missing or of another type', () => {
  const { id: _, ...nameless } = user;
  expect(() => expectShape('getAuthenticatedUser', 200, { ...nameless, displayName: 1 })).toThrow(
    /displayName must be string[\s\S]*must have required property 'id'/,
  );
});

test('rejects undescribed bodies, errors of another shape, and unknown operations and statuses', () => {
  expect(() => expectShape('deleteSpaceById', 204, user)).toThrow(/204 with a body/);
  expect(() => expectShape('getAuthenticatedUser', 404, { message: 'No.' })).toThrow(/required property 'error'/);
  expect(() => expectShape('getAuthenticatedUser', 202, user)).toThrow(/does not answer 202 but 200/);
  expect(() => expectShape('getUnicorn', 200, user)).toThrow(/no description of getUnicorn/);
});

test('checks what the newest public client reads when asked', () => {
  const body = { error: { code: 404, message: 'None.' } };
  expectShape('getChangeRequestById', 404, body, { beyond: true });
  expect(() => expectShape('getChangeRequestById', 404, {}, { beyond: true })).toThrow(/required property 'error'/);
  expect(() => expectShape('getSpaceById', 200, {}, { beyond: true })).toThrow(/required property 'object'/);
});

test('finds the operation of a path, the most literal first', () => {
  const idAt = (method: string, path: string) => describedAt(method, path)?.operationId;
  expect(idAt('GET', '/v1/spaces/space_1')).toBe('getSpaceById');
  expect(idAt('GET', '/v1/orgs/org_1/spaces?limit=1')).toBe('listSpacesInOrganizationById');
  expect(idAt('PATCH', '/v1/spaces/space_1/')).toBe('updateSpaceById');
  expect(idAt('GET', '/v1/spaces/space_1/content/path/guide%2Fstart')).toBe('getPageByPath');
  expect(idAt('GET', '/v1/spaces/space_1/nothing')).toBeUndefined();
  expect(idAt('GET', '/graphql')).toBeUndefined();
});
