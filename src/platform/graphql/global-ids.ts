import { type IdPrefix, prefixOf } from '../ids/ids.ts';

const types = new Map<IdPrefix, string>();

/** Registers the graph type of ids with a prefix. */
export const nameIds = (prefix: IdPrefix, typename: string) => void types.set(prefix, typename);

/** Registered prefixes, for tests. */
export const nodePrefixes = () => [...types.keys()];

/**
 * The type of an id by its prefix, or '' if there is none. Ids are the same string in the graph, in REST and in the
 * database. `page_…-at-rev_…` is a page in a revision, `page_…-in-space_…` a page in the current content of a space.
 */
export function typenameOf(id: string): string {
  const prefix = prefixOf(id.split('-', 1)[0] ?? '');
  return (prefix && types.get(prefix)) ?? '';
}
