import { expect, test } from 'vitest';
import { loggable } from '../../src/platform/log/loggable.ts';

test('an error is logged with type, message, stack, code and causes', () => {
  const cause = Object.assign(new TypeError('inner'), { code: 'EPIPE' });
  const told = loggable(new Error('outer', { cause }));
  expect(told).toMatchObject({ type: 'Error', message: 'outer', cause: { type: 'TypeError', code: 'EPIPE' } });
  expect(told.stack).toContain('loggable.test.ts');
});

test('row values in database errors are not logged', () => {
  const error = Object.assign(new Error('duplicate key'), { detail: 'Key (email)=(ada@example.com)', constraint: 'u' });
  expect(JSON.stringify(loggable(error))).not.toContain('ada');
  expect(loggable(error).constraint).toBe('u');
});

test('values that are not errors are described', () => {
  expect(loggable({ message: 'the queue broke', code: '57P01', queue: 'imports' })).toEqual({
    type: 'Object',
    message: 'the queue broke',
    code: '57P01',
  });
  expect(loggable({ secret: 'x' }).message).toBe('An error without a message was thrown, with the members secret.');
  expect(loggable('stop').message).toBe('stop was thrown, which is not an error.');
  expect(loggable(undefined)).toEqual({ type: 'undefined', message: 'undefined was thrown, which is not an error.' });
  expect(loggable(Object.create(null)).type).toBe('object');
});

test('a connection refused at several addresses has the message of the first', () => {
  const refused = (address: string) => Object.assign(new Error(`connect ECONNREFUSED ${address}`), { code: 'E' });
  const error = new AggregateError([refused('::1:5432'), refused('127.0.0.1:5432')]);
  expect(loggable(error)).toMatchObject({ message: 'connect ECONNREFUSED ::1:5432', errors: [{}, {}] });
});

test('circular causes and endless messages are bounded', () => {
  const error: Error & { cause?: unknown } = new Error('x'.repeat(100_000));
  error.cause = error;
  expect(JSON.stringify(loggable(error)).length).toBeLessThan(50_000);
});
