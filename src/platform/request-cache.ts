import type { Context } from './context.ts';

/** One cache for each context, gone when the context is. */
const caches = new WeakMap<object, Map<string, unknown>>();

/**
 * A value that lives as long as the request: loaders, mostly. The key names it; the first caller makes it. A command
 * has a context of its own, so what it reads inside its transaction is never mixed with what was read before.
 */
export function requestCache<Value>(ctx: Context, key: string, make: () => Value): Value {
  let values = caches.get(ctx);
  if (!values) {
    values = new Map();
    caches.set(ctx, values);
  }
  if (!values.has(key)) values.set(key, make());
  return values.get(key) as Value; // Keys name one type each; the maker is beside the reader.
}

/** Lets another context of the same request find what this one has read. */
export function shareRequestCache(from: Context, to: Context): void {
  const values = caches.get(from) ?? new Map<string, unknown>();
  caches.set(from, values);
  caches.set(to, values);
}

/** Forgets everything a request has read, so that a payload shows what the command before it wrote. */
export function forgetRequestCache(ctx: Context): void {
  caches.delete(ctx);
}
