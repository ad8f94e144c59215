import { changeKinds, operationOf } from './change-kinds.ts';

/** REST's names of members of a change (decisions 10), and those of the graph. */
export const REST_NAMES = {
  page: 'pageId',
  into: 'parentId',
  type: 'kind',
  file: 'fileId',
  reusableContent: 'reusableContentId',
  revision: 'revisionId',
} as const;

const NAMES = new Map(Object.keys(changeKinds).map((name) => [operationOf(name), name]));

/** REST's tagged changes as the operation takes them; what is no object is left for the operation to refuse. */
export function changesFromRest(given: Record<string, unknown>): Record<string, unknown> {
  const { changes, baseRevision, ...rest } = given;
  return {
    ...rest,
    ...(baseRevision === undefined ? {} : { baseRevisionId: baseRevision }),
    changes: Array.isArray(changes) ? changes.map(changeFromRest) : changes,
  };
}

function changeFromRest(change: unknown): unknown {
  if (typeof change !== 'object' || change === null) return change;
  const { operation, at, ...fields } = change as Record<string, unknown>; // looked at below
  const name = typeof operation === 'string' ? NAMES.get(operation) : undefined;
  if (name === undefined) return { [`operation: ${String(operation)}`]: fields };
  const names: Record<string, string> = REST_NAMES;
  const members = Object.entries(fields).map(([member, value]) => [names[member] ?? member, value]);
  return { [name]: { ...Object.fromEntries(members), ...(at === undefined ? {} : { position: { at } }) } };
}
