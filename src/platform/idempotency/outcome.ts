import { canonicalJson } from '../../lib/canonical.ts';
import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import { findById } from '../find-by-id.ts';
import { PREFIXES, prefixOf } from '../ids.ts';

/** What came of a command that ran under a key. */
export interface Outcome {
  readonly kept: unknown;
}

/** An output as it is kept: of everything that has an id, the id alone. */
export type Kept<Value> = Value extends { id: string }
  ? { id: string }
  : Value extends object
    ? { [Name in keyof Value]: Kept<Value[Name]> }
    : Value;

/** The JSON text of what is kept of an output. Throws on what JSON cannot hold, a date say: that is a bug. */
export const keep = (output: unknown, shownOnce: readonly PropertyKey[]): string =>
  canonicalJson(mapped(withoutSecrets(output, shownOnce), ({ id }) => ({ id })));

/** An output made of what was kept: each id is read anew, by the caller's rights. NOT_FOUND when that is hidden by now. */
export async function readAnew(ctx: Context, kept: unknown): Promise<unknown> {
  const ids = new Set<string>();
  mapped(kept, ({ id }) => ids.add(id));
  const found = new Map<string, unknown>();
  const load = async (id: string) => found.set(id, (await findById(ctx, id)) ?? fail(id));
  await Promise.all([...ids].map(load));
  return mapped(kept, ({ id }) => found.get(id));
}

const withoutSecrets = (output: unknown, shownOnce: readonly PropertyKey[]): unknown =>
  shownOnce.length === 0
    ? output
    : { ...(output as object), ...Object.fromEntries(shownOnce.map((name) => [name, null])) }; // has these members

/** A value with everything in it that has an id replaced. What is no plain object or array stays. */
function mapped(value: unknown, replace: (resource: { id: string }) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => mapped(item, replace));
  if (!isPlain(value)) return value;
  if (hasId(value)) return replace(value);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapped(member, replace)]));
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

const hasId = (value: object): value is { id: string } =>
  'id' in value && typeof value.id === 'string' && prefixOf(value.id) !== undefined;

function fail(id: string): never {
  const prefix = prefixOf(id);
  throw notFound(prefix ? PREFIXES[prefix] : 'object', id);
}
