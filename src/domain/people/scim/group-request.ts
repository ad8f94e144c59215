import { isRecord } from '../../../lib/is-record.ts';
import { ScimError, tooLarge } from '../../../platform/errors/scim-error.ts';
import { parse } from '../../../platform/operation/operation.ts';
import { teamTitle } from '../teams/index.ts';
import { objectIn } from './document.ts';
import { type Filter, parseFilter } from './parse-filter.ts';
import type { PatchOperation } from './patch-request.ts';
import { GROUP } from './schemas.ts';

/** The changes that a request makes to a group. Undefined members are not changed. */
export interface GroupChange {
  title?: string;
  externalId?: string | null;
  /** All members. */
  members?: ReadonlySet<string>;
  /** Members who join and leave, after `members` is set. */
  added: Set<string>;
  removed: Set<string>;
}

/** Maximum number of members that a request can name. */
const MAX_MEMBERS = 10_000;
const MAX_NAME = 256;

const noChange = (): GroupChange => ({ added: new Set(), removed: new Set() });

/** The whole group in the body of a request. */
export function groupIn(body: unknown): GroupChange & { title: string } {
  const change = noChange();
  for (const [name, value] of Object.entries(objectIn(body, GROUP))) applyAt(change, 'replace', nameOf(name), value);
  const { title } = change;
  if (title === undefined) throw new ScimError('invalidValue', 'displayName: is required.');
  return { ...change, title, externalId: change.externalId ?? null, members: change.members ?? new Set() };
}

const WRITABLE = ['displayname', 'externalid', 'members', 'members.value'];

/**
 * The changes of PATCH operations, without knowing who the members are: groups can be large. In a value without a path,
 * names that are unknown or read-only have no effect.
 */
export function groupChange(operations: readonly PatchOperation[]): GroupChange {
  const change = noChange();
  for (const { op, path, value } of operations) {
    if (path !== undefined) applyAtPath(change, op, path, value);
    else if (isRecord(value)) {
      for (const [path, inner] of Object.entries(value)) {
        const name = nameOf(path);
        if (WRITABLE.includes(name) || path.includes('[')) applyAtPath(change, op, path, inner);
      }
    } else throw new ScimError('invalidValue', 'An operation without a path needs an object as value.');
  }
  return change;
}

function applyAtPath(change: GroupChange, op: PatchOperation['op'], path: string, value: unknown): void {
  const open = path.indexOf('[');
  if (open < 0) {
    const name = nameOf(path);
    if (name === 'id' || name === 'meta') throw new ScimError('mutability', `"${name}" is read-only.`);
    if (!WRITABLE.includes(name)) throw invalidPath(path);
    applyAt(change, op, name === 'members.value' ? 'members' : name, value);
    return;
  }
  const isOfMembers = nameOf(path.slice(0, open)) === 'members' && path.endsWith(']');
  if (!isOfMembers || op !== 'remove') throw invalidPath(path);
  const ids = idsIn(parseFilter(path.slice(open + 1, -1)));
  if (!ids)
    throw new ScimError('invalidFilter', `"${shorten(path)}": members are removed by \`members[value eq "…"]\`.`);
  leave(change, ids);
}

/** The ids that a filter such as `value eq "user_…"` names. Undefined for others. */
function idsIn(filter: Filter): string[] | undefined {
  if (filter.kind === 'compare' && filter.op === 'eq' && filter.path.toLowerCase() === 'value')
    return typeof filter.value === 'string' ? [filter.value] : undefined;
  if (filter.kind !== 'or') return undefined;
  const parts = filter.parts.map(idsIn);
  return parts.every((part) => part !== undefined) ? parts.flat() : undefined;
}

/** Sets an attribute of a group. Names that are unknown have no effect. */
function applyAt(change: GroupChange, op: PatchOperation['op'], name: string, value: unknown): void {
  if (name === 'displayname') {
    if (op === 'remove') throw new ScimError('invalidValue', 'displayName: is required.');
    change.title = titleIn(value);
  } else if (name === 'externalid') change.externalId = op === 'remove' ? null : externalIdIn(value);
  else if (name === 'members') applyToMembers(change, op, value);
}

function applyToMembers(change: GroupChange, op: PatchOperation['op'], value: unknown): void {
  const isEmpty = value === undefined || value === null;
  if (op === 'replace' || (op === 'remove' && isEmpty)) {
    change.members = new Set(isEmpty || op === 'remove' ? [] : membersIn(value));
    change.added.clear();
    change.removed.clear();
  } else if (op === 'remove') leave(change, membersIn(value));
  else {
    for (const id of membersIn(value)) {
      change.added.add(id);
      change.removed.delete(id);
    }
    rejectTooManyMembers(change.added.size);
  }
}

function leave(change: GroupChange, ids: readonly string[]): void {
  for (const id of ids) {
    change.removed.add(id);
    change.added.delete(id);
  }
  rejectTooManyMembers(change.removed.size);
}

function rejectTooManyMembers(count: number): void {
  if (count > MAX_MEMBERS) throw tooLarge(`A request can name up to ${MAX_MEMBERS} members.`);
}

/** The ids in `[{ "value": "user_…" }]`. Also one member without a list, and bare ids. */
function membersIn(value: unknown): string[] {
  const items: unknown[] = Array.isArray(value) ? value : [value];
  rejectTooManyMembers(items.length);
  return items.map((item) => {
    const id = isRecord(item) ? memberValue(item) : item;
    if (typeof id !== 'string' || id === '' || id.length > MAX_NAME || id.includes('\0') || !id.isWellFormed())
      throw new ScimError('invalidValue', 'members: each must be an object with the ID of a user as `value`.');
    return id;
  });
}

function memberValue(item: Record<string, unknown>): unknown {
  const valueNamed = (name: string) => Object.entries(item).find(([each]) => each.toLowerCase() === name)?.[1];
  const type = valueNamed('type');
  if (typeof type === 'string' && type.toLowerCase() === 'group')
    throw new ScimError('invalidValue', 'members: groups cannot contain groups.');
  return valueNamed('value');
}

function titleIn(value: unknown): string {
  if (typeof value !== 'string') throw new ScimError('invalidValue', 'displayName: must be a text.');
  return parse(teamTitle, value);
}

function externalIdIn(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  const isText =
    typeof value === 'string' && value.length <= MAX_NAME && value.isWellFormed() && !/\p{Cc}/u.test(value);
  if (!isText) throw new ScimError('invalidValue', `externalId: must be a text of up to ${MAX_NAME} characters.`);
  return value;
}

/** In lowercase, without the schema. */
function nameOf(path: string): string {
  const lower = path.toLowerCase();
  const prefix = `${GROUP.toLowerCase()}:`;
  return lower.startsWith(prefix) ? lower.slice(prefix.length) : lower;
}

const shorten = (path: string) => path.slice(0, 200);

const invalidPath = (path: string) =>
  new ScimError('invalidPath', `"${shorten(path)}" is not a path to an attribute of a group.`);
