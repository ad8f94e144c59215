import { type IdPrefix, prefixOf } from '../ids.ts';

const types = new Map<IdPrefix, string>();

/** Says which type of the graph has the ids of a kind. */
export const nameIds = (prefix: IdPrefix, typename: string) => void types.set(prefix, typename);

/** Kinds that can be looked up, for the test that walks them. */
export const nodePrefixes = () => [...types.keys()];

const AT = '-at-';

/**
 * The type that an id is looked up in; '' for an id of no kind. Ids are the same string in the graph, in REST and in storage:
 * the prefix names the kind. `page_…-at-rev_…` is a page in a revision; every other id is plain.
 */
export function typenameOf(id: string): string {
  const prefix = prefixOf(id.split(AT, 1)[0] ?? '');
  return (prefix && types.get(prefix)) ?? '';
}
