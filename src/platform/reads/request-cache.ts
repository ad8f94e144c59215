import type { Context } from '../context/context.ts';
import { requestSlot } from './request-slot.ts';

/** A cache per context. It is garbage collected with the context. */
const caches = requestSlot<Context, Map<string, unknown>>('request cache');

/**
 * A value for the duration of the request, such as a loader. `make` is called once per key. Commands have their own
 * context, so values read inside a transaction are not mixed with older ones.
 */
export function requestCache<Value>(ctx: Context, key: string, make: () => Value): Value {
  let values = caches.get(ctx);
  if (!values) {
    values = new Map();
    caches.set(ctx, values);
  }
  const existing = values.get(key);
  if (existing !== undefined || values.has(key)) return existing as Value; // each key has one type
  const value = make();
  values.set(key, value);
  return value;
}

/** The value, if it was made. Undefined otherwise. */
export const peekRequestCache = <Value>(ctx: Context, key: string): Value | undefined =>
  caches.get(ctx)?.get(key) as Value | undefined; // each key has one type

/** Copies the cache of one context to another of the same request. */
export function shareRequestCache(from: Context, to: Context): void {
  const values = caches.get(from) ?? new Map<string, unknown>();
  caches.set(from, values);
  caches.set(to, values);
}

/** Clears the cache, so that a payload shows what the command has written. */
export function forgetRequestCache(ctx: Context): void {
  caches.set(ctx, undefined);
}
