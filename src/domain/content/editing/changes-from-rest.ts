import type { Issue, IssueInRest } from '../../../platform/errors/errors.ts';
import { changeKinds, restOperationName } from './kinds/change-kinds.ts';
import { withoutTyped } from './typed-references.ts';

/** Names of properties in REST, and the fields in the graph that they stand for. */
export const REST_NAMES = {
  page: 'pageId',
  into: 'parentId',
  type: 'kind',
  file: 'fileId',
  reusableContent: 'reusableContentId',
  revision: 'revisionId',
} as const;

/** Properties of a change in REST that are part of `position` in the graph. */
export const PLACES = { before: 'beforeId', after: 'afterId', at: 'at' } as const;

const NAMES = new Map(Object.keys(changeKinds).map((name) => [restOperationName(name), name]));

/** Translates REST's tagged changes to the input of the operation, which rejects values that are not objects. */
export function changesFromRest(properties: Record<string, unknown>): Record<string, unknown> {
  const { changes, baseRevision, ...rest } = properties;
  return {
    ...rest,
    ...(baseRevision === undefined ? {} : { baseRevisionId: baseRevision }),
    changes: Array.isArray(changes) ? changes.map(changeFromRest) : changes,
  };
}

function changeFromRest(change: unknown): unknown {
  if (typeof change !== 'object' || change === null) return change;
  const { operation, ...fields } = change as Record<string, unknown>; // looked at below
  const text = typeof operation === 'string' ? operation : '';
  const name = NAMES.get(text);
  if (name === undefined) return { [`operation: ${text}`]: fields };
  const entries = Object.entries(withoutTyped(fields)).filter(
    ([member]) => !Object.hasOwn(PLACES, member) || !takesPlace(name),
  );
  const members = Object.fromEntries(entries.map(([member, value]) => [fieldOf(member), value]));
  // Markdown of a page begins with its title here.
  if ('omitTitle' in (kinds[name]?.input.shape ?? {})) members.omitTitle ??= true;
  const place = takesPlace(name) ? placeOf(fields) : {};
  if (Object.keys(place).length > 0) {
    members.position = typeof members.position === 'object' ? { ...members.position, ...place } : place;
  }
  return { [name]: members };
}

const fieldOf = (member: string): string =>
  Object.hasOwn(REST_NAMES, member) ? REST_NAMES[member as keyof typeof REST_NAMES] : member; // just checked

const takesPlace = (name: string) => 'position' in (kinds[name]?.input.shape ?? {});

const kinds: Record<string, { input: { shape: object } }> = changeKinds;

const placeOf = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(PLACES).flatMap(([theirs, ours]) => (fields[theirs] === undefined ? [] : [[ours, fields[theirs]]])),
  );

/** Translates the path of an issue to the property of the REST body. */
export function issueOfChanges({ path, message }: Issue, body: unknown): IssueInRest {
  const [first, index, kind, ...inside] = path;
  if (first === 'baseRevisionId') return { path: ['baseRevision', ...path.slice(1)], message };
  if (first !== 'changes' || typeof index !== 'number') return { path, message };
  const change = changeAt(body, index);
  if (kind === undefined) {
    const isKnown = typeof change.operation === 'string' && NAMES.has(change.operation);
    if (isKnown) return { path, message };
    return { path: [...path, 'operation'], message: `must be one of ${[...NAMES.keys()].join(', ')}.` };
  }
  const [member, ...rest] = inside;
  if (member === 'position' && !Object.hasOwn(change, 'position')) {
    const [name = rest[0]] = Object.entries(PLACES).flatMap(([theirs, ours]) => (ours === rest[0] ? theirs : []));
    return { path: [first, index, ...(name === undefined ? [] : [name]), ...rest.slice(1)], message };
  }
  const [theirs = member] = Object.entries(REST_NAMES).flatMap(([name, ours]) => (ours === member ? name : []));
  return { path: [first, index, ...(theirs === undefined ? [] : [theirs]), ...rest], message };
}

function changeAt(body: unknown, index: number): Record<string, unknown> {
  const { changes } = (body ?? {}) as { changes?: unknown[] }; // the operation has found an array there
  const change = changes?.[index];
  return typeof change === 'object' && change !== null ? (change as Record<string, unknown>) : {};
}
