import { expect, test } from 'vitest';
import { unavailabilityOf } from '../../src/platform/database/unavailable.ts';

const failure = (properties: object) => Object.assign(new Error('It failed.'), properties);

test.each([
  ['a full disk', { code: 'ENOSPC' }],
  ['an exceeded quota of a user', { code: 'EDQUOT' }],
  ['a full disk of PostgreSQL', { code: '53100' }],
  ['a full bucket', { name: 'XMinioStorageFull' }],
  ['an exceeded quota of a bucket', { name: 'QuotaExceeded' }],
  ['a bucket that answers 507', { $metadata: { httpStatusCode: 507 } }],
  ['an error that one of them caused', { cause: failure({ code: 'ENOSPC' }) }],
])('%s is INSUFFICIENT_STORAGE', (_what, properties) => {
  expect(unavailabilityOf(failure(properties))).toMatchObject({ code: 'INSUFFICIENT_STORAGE', status: 507 });
});

test('a server without memory is SERVICE_UNAVAILABLE', () => {
  expect(unavailabilityOf(failure({ code: '53200' }))).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});

test('other errors are neither', () => {
  expect(unavailabilityOf(failure({ code: 'EACCES' }))).toBeUndefined();
  expect(unavailabilityOf(failure({ cause: failure({ code: 'ENOENT' }) }))).toBeUndefined();
});
