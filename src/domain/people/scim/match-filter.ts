import type { Comparison, Filter, FilterValue } from './parse-filter.ts';
import { isRecord } from './schemas.ts';

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

function compares(own: unknown, op: Comparison, given: FilterValue): boolean {
  if (typeof own === 'boolean') {
    const wanted = typeof given === 'string' ? given.toLowerCase() === 'true' : given;
    return op === 'ne' ? own !== wanted : op === 'eq' && own === wanted;
  }
  if (op === 'eq' && given === null) return own === undefined;
  if (op === 'ne') return !compares(own, 'eq', given);
  if (typeof own !== 'string' || typeof given !== 'string') return false;
  return comparesText(own.toLowerCase(), op, given.toLowerCase());
}

function comparesText(own: string, op: Exclude<Comparison, 'ne'>, given: string): boolean {
  switch (op) {
    case 'eq':
      return own === given;
    case 'co':
      return own.includes(given);
    case 'sw':
      return own.startsWith(given);
    case 'ew':
      return own.endsWith(given);
    case 'gt':
      return own > given;
    case 'ge':
      return own >= given;
    case 'lt':
      return own < given;
    case 'le':
      return own <= given;
  }
}

/** The values that a filter demands by `eq`, joined by `and`: those of a new value that fulfils it. Undefined for other filters. */
export function demandedBy(filter: Filter): Record<string, FilterValue> | undefined {
  if (filter.kind === 'compare' && filter.op === 'eq') return { [filter.path]: filter.value };
  if (filter.kind !== 'and') return undefined;
  const parts = filter.parts.map(demandedBy);
  return parts.includes(undefined) ? undefined : Object.assign({}, ...parts);
}
