import { defaultFieldResolver, getNullableType, isLeafType } from 'graphql';
import type { Execution } from './execution.ts';
import { serialize } from './leaf.ts';
import type { Site } from './site.ts';

/** Reads the properties that are still undefined in an object of the response. */
export const readProperties =
  (sites: readonly Site[]) =>
  (x: Execution, source: unknown, object: Record<string, unknown>, indexes: readonly number[]): void => {
    for (const site of sites) if (object[site.field.key] === undefined) read(x, site, source, object, indexes);
  };

function read(x: Execution, site: Site, source: unknown, object: Record<string, unknown>, indexes: readonly number[]) {
  const { key } = site.field;
  object[key] = null;
  const put = (value: unknown) => {
    object[key] = complete(x, site, value, indexes);
  };
  const fail = (reason: unknown) => {
    object[key] = x.fail(site, reason, indexes);
  };
  try {
    const value = defaultFieldResolver(source, x.argsOf(site.field), x.context, x.infoOf(site, indexes));
    if (value instanceof Promise) x.wait(value, put, fail);
    else put(value);
  } catch (error) {
    fail(error);
  }
}

function complete(x: Execution, site: Site, value: unknown, indexes: readonly number[]): unknown {
  const type = getNullableType(site.type);
  if (!isLeafType(type)) throw new Error(`${site.field.key} is not a leaf.`);
  if (value == null) return type === site.type ? null : x.absent(site, indexes);
  return serialize(x, site, type, value, indexes);
}
