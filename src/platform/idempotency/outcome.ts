import { canonicalJson } from '../../lib/canonical.ts';
import type { Context } from '../context/context.ts';
import { notFound } from '../errors/errors.ts';
import { findById } from '../ids/find-by-id.ts';
import { PREFIXES, prefixOf } from '../ids/ids.ts';

/** Outcome of a command that was run with a key. */
export interface KeyedOutcome {
  readonly stored: unknown;
}

/** An output as it is stored: resources are replaced by their ids. */
export type StoredOutput<Value> = Value extends { id: string }
  ? { id: string }
  : Value extends object
    ? { [Name in keyof Value]: StoredOutput<Value[Name]> }
    : Value;

/** The JSON of an output as it is stored. Throws for values that JSON does not support, such as dates. */
export const serializeOutput = (output: unknown, shownOnce: readonly PropertyKey[]): string =>
  canonicalJson(mapped(withoutSecrets(output, shownOnce), ({ id }) => ({ id })));

/**
 * Whether the caller's access is not checked by loading resources: a stored output contains none, and is not that of a
 * deletion.
 */
export function needsAccess(stored: unknown): boolean {
  // Callers may lose access by what they delete or leave. The output only says that it is gone.
  if (isPlain(stored) && 'deletedId' in stored) return false;
  return resourceIdsOf(stored).size === 0;
}

/** Restores an output: resources are loaded with the caller's current access. NOT_FOUND if one is no longer visible. */
export async function reloadOutcome(ctx: Context, stored: unknown): Promise<unknown> {
  const resources = new Map<string, unknown>();
  const load = async (id: string) => resources.set(id, (await findById(ctx, id)) ?? fail(id));
  await Promise.all([...resourceIdsOf(stored)].map(load));
  return mapped(stored, ({ id }) => resources.get(id));
}

function resourceIdsOf(stored: unknown): Set<string> {
  const ids = new Set<string>();
  mapped(stored, ({ id }) => ids.add(id));
  return ids;
}

const withoutSecrets = (output: unknown, shownOnce: readonly PropertyKey[]): unknown =>
  shownOnce.length === 0
    ? output
    : { ...(output as object), ...Object.fromEntries(shownOnce.map((name) => [name, null])) }; // it has these properties

/** Replaces all resources, rows or entities, in plain objects and arrays. */
function mapped(value: unknown, replace: (resource: { id: string }) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => mapped(item, replace));
  if (hasId(value)) return replace(value);
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapped(member, replace)]));
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

const hasId = (value: unknown): value is { id: string } =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  typeof value.id === 'string' &&
  prefixOf(value.id) !== undefined;

function fail(id: string): never {
  const prefix = prefixOf(id);
  throw notFound(prefix ? PREFIXES[prefix] : 'object', id);
}
