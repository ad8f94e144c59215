import { isRecord } from '../../../lib/is-record.ts';
import type { Comparison, Filter, FilterValue } from './parse-filter.ts';

/** Whether one value of a multi-valued attribute fulfils the filter of a path, such as `emails[type eq "work"]`. */
export function matches(filter: Filter, item: unknown): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.parts.every((part) => matches(part, item));
    case 'or':
      return filter.parts.some((part) => matches(part, item));
    case 'not':
      return !matches(filter.part, item);
    case 'some':
      return false;
    case 'present':
      return (partOf(item, filter.path) ?? '') !== '';
    case 'compare':
      return compares(partOf(item, filter.path), filter.op, filter.value);
  }
}

function partOf(item: unknown, path: string): unknown {
  if (!isRecord(item)) return undefined;
  return Object.entries(item).find(([name]) => name.toLowerCase() === path.toLowerCase())?.[1];
}

function compares(actual: unknown, op: Comparison, expected: FilterValue): boolean {
  if (typeof actual === 'boolean') {
    const expectedBoolean = typeof expected === 'string' ? expected.toLowerCase() === 'true' : expected;
    return op === 'ne' ? actual !== expectedBoolean : op === 'eq' && actual === expectedBoolean;
  }
  if (op === 'eq' && expected === null) return actual === undefined;
  if (op === 'ne') return !compares(actual, 'eq', expected);
  if (typeof actual !== 'string' || typeof expected !== 'string') return false;
  return comparesText(actual.toLowerCase(), op, expected.toLowerCase());
}

function comparesText(actual: string, op: Exclude<Comparison, 'ne'>, expected: string): boolean {
  switch (op) {
    case 'eq':
      return actual === expected;
    case 'co':
      return actual.includes(expected);
    case 'sw':
      return actual.startsWith(expected);
    case 'ew':
      return actual.endsWith(expected);
    case 'gt':
      return actual > expected;
    case 'ge':
      return actual >= expected;
    case 'lt':
      return actual < expected;
    case 'le':
      return actual <= expected;
  }
}

/**
 * The values that a filter demands by `eq`, joined by `and`: those of a new value that fulfils it. Undefined for other
 * filters.
 */
export function demandedBy(filter: Filter): Record<string, FilterValue> | undefined {
  if (filter.kind === 'compare' && filter.op === 'eq') return { [filter.path]: filter.value };
  if (filter.kind !== 'and') return undefined;
  const parts = filter.parts.map(demandedBy);
  return parts.includes(undefined) ? undefined : Object.assign({}, ...parts);
}
