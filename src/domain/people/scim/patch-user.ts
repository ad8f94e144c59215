import { isRecord } from '../../../lib/is-record.ts';
import { ScimError, tooLarge } from '../../../platform/errors/scim-error.ts';
import {
  isAbsent,
  normalizeSimpleValue,
  normalizeValue,
  type ScimDocument,
  setAttribute,
  setExtension,
  valueIn,
} from './document.ts';
import { demandedBy, matches } from './match-filter.ts';
import { comparisonsIn, type Filter, parseFilter } from './parse-filter.ts';
import type { PatchOperation } from './patch-request.ts';
import {
  attributeOf,
  ENTERPRISE,
  isComplex,
  isExtension,
  isMultiValued,
  isReadOnly,
  type KnownAttribute,
  subAttributeOf,
  USER,
} from './schemas.ts';

type Op = PatchOperation['op'];

/** What a path leads to: an attribute, those of its values that fulfil a filter, and a part of it. */
interface Target {
  entry: KnownAttribute;
  filter: Filter | undefined;
  sub: KnownAttribute['attribute'] | undefined;
}

/** Maximum number of comparisons in the paths of a request. */
const MAX_COMPARISONS = 200;

/** A user while operations are applied to it. */
interface Patched {
  document: ScimDocument;
  /** Comparisons in the paths so far. */
  comparisons: number;
}

/** Applies operations to a user, in their order. The document is changed. Throws errors of SCIM. */
export function patchUser(document: ScimDocument, operations: readonly PatchOperation[]): void {
  const patched = { document, comparisons: 0 };
  for (const { op, path, value } of operations) {
    if (path === undefined) applyToAll(patched, op, value);
    else applyAt(patched, op, path, value);
  }
}

/**
 * Without a path, the value is an object whose names are paths. Those that are unknown or read-only have no effect, and
 * a filter that no value fulfils makes one, so that the other names have effect.
 */
function applyToAll(patched: Patched, op: Op, value: unknown): void {
  if (!isRecord(value)) throw new ScimError('invalidValue', 'An operation without a path needs an object as value.');
  for (const [path, inner] of Object.entries(value)) {
    const target = isExtension(path) ? undefined : targetOf(path);
    if (isExtension(path) || (target && !isReadOnly(target.entry.attribute)))
      applyAt(patched, target?.filter && op === 'replace' ? 'add' : op, path, inner);
  }
}

function applyAt(patched: Patched, op: Op, path: string, value: unknown): void {
  const { document } = patched;
  if (isExtension(path)) {
    if (op === 'remove') delete document[ENTERPRISE];
    else setExtension(document, value);
    return;
  }
  const target = targetOf(path);
  if (target === undefined) throw invalidPath(path);
  if (target === null) return;
  if (isReadOnly(target.entry.attribute)) throw new ScimError('mutability', `"${shorten(path)}" is read-only.`);
  if (target.filter) patched.comparisons += comparisonsIn(target.filter);
  if (patched.comparisons > MAX_COMPARISONS)
    throw tooLarge(`The paths of a request can have up to ${MAX_COMPARISONS} comparisons.`);
  if (target.filter) applyToSome(document, op, { ...target, filter: target.filter, path }, value);
  else if (target.sub) applyToPart(document, op, { ...target, sub: target.sub }, value);
  else applyToAttribute(document, op, target.entry, value);
}

const shorten = (path: string) => path.slice(0, 200);

/** Null if the attribute is not kept, undefined if there is none. */
function targetOf(path: string): Target | null | undefined {
  const open = path.indexOf('[');
  const close = path.lastIndexOf(']');
  if ((open >= 0 || close >= 0) && close < open) return undefined;
  const [name, filter, rest] =
    open < 0
      ? splitName(path)
      : ([path.slice(0, open), parseFilter(path.slice(open + 1, close)), path.slice(close + 1)] as const);
  const entry = attributeOf(name);
  if (entry === null) return null;
  if (!entry || entry.attribute.name === 'schemas') return undefined;
  if (filter && !isMultiValued(entry.attribute)) return undefined;
  if (rest === '') return { entry, filter, sub: undefined };
  const sub = rest.startsWith('.') ? subAttributeOf(entry.attribute, rest.slice(1)) : undefined;
  return sub && { entry, filter, sub };
}

/** The version in the URN of a schema has a dot, too. */
function splitName(path: string): readonly [name: string, filter: undefined, rest: string] {
  const schema = [ENTERPRISE, USER].find((each) => path.toLowerCase().startsWith(`${each.toLowerCase()}:`));
  const dot = path.indexOf('.', schema === undefined ? 0 : schema.length);
  return dot < 0 ? [path, undefined, ''] : [path.slice(0, dot), undefined, path.slice(dot)];
}

const invalidPath = (path: string) =>
  new ScimError('invalidPath', `"${shorten(path)}" is not a path to an attribute of a user.`);

function applyToAttribute(document: ScimDocument, op: Op, entry: KnownAttribute, value: unknown): void {
  setAttribute(document, entry, nextValue(op, entry.attribute, valueIn(document, entry), value));
}

function nextValue(op: Op, attribute: KnownAttribute['attribute'], current: unknown, value: unknown): unknown {
  const normalized = normalizeValue(attribute, value);
  if (isMultiValued(attribute)) {
    if (op === 'add') return added(current, normalized);
    // Entra names the values to remove beside the path. An empty list removes nothing.
    if (op === 'remove') return value === undefined || value === null ? undefined : without(current, normalized);
    return normalized === undefined ? undefined : primaryAmong([], listOf(normalized));
  }
  if (op === 'remove') return undefined;
  return isComplex(attribute) && isRecord(current) && isRecord(normalized) ? { ...current, ...normalized } : normalized;
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : value === undefined ? [] : [value]);

/** The values that do not have all parts of one that is removed. */
function without(current: unknown, removed: unknown): unknown[] {
  const items = listOf(removed).filter(isRecord);
  return listOf(current).filter(
    (item) =>
      !items.some((each) => isRecord(item) && Object.entries(each).every(([name, value]) => item[name] === value)),
  );
}

function added(current: unknown, incoming: unknown): unknown[] {
  const before = listOf(current);
  const fresh = listOf(incoming).filter((item) => !before.some((each) => isSame(each, item)));
  return primaryAmong(before, fresh);
}

/** Whether two values have the same parts, which are texts, numbers, or true or false. */
function isSame(one: unknown, other: unknown): boolean {
  if (!isRecord(one) || !isRecord(other)) return one === other;
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}

/** At most one value is primary: of the new ones, or else of those before (RFC 7644, 3.5.2). */
function primaryAmong(before: readonly unknown[], fresh: readonly unknown[]): unknown[] {
  const isTaken = fresh.some((item) => isRecord(item) && item.primary === true);
  const others = isTaken
    ? before.map((item) => (isRecord(item) && item.primary === true ? { ...item, primary: false } : item))
    : before;
  return [...others, ...fresh];
}

/** A part of a complex attribute, or of all values of one with several. */
function applyToPart(
  document: ScimDocument,
  op: Op,
  { entry, sub }: Target & { sub: NonNullable<Target['sub']> },
  value: unknown,
): void {
  const current = valueIn(document, entry);
  const change = (item: unknown) => withPart(isRecord(item) ? item : {}, op, sub, value);
  setAttribute(
    document,
    entry,
    isMultiValued(entry.attribute) ? changedItems(listOf(current), op, change) : change(current),
  );
}

/** Replacing a part of values where there are none makes one. */
function changedItems(items: unknown[], op: Op, change: (item: unknown) => unknown): unknown[] {
  const changed = items.length === 0 && op !== 'remove' ? [change({})] : items.map(change);
  return changed.filter((item) => !isAbsent(item));
}

function withPart(item: Record<string, unknown>, op: Op, sub: KnownAttribute['attribute'], value: unknown) {
  const { [sub.name]: _former, ...rest } = item;
  const normalized = normalizeSimpleValue(sub, Array.isArray(value) && value.length === 1 ? value[0] : value);
  return op === 'remove' || isAbsent(normalized) ? rest : { ...rest, [sub.name]: normalized };
}

/**
 * The values that fulfil the filter of the path. Adding where there is none makes one that fulfils it, as Entra
 * expects; replacing it has no target.
 */
function applyToSome(
  document: ScimDocument,
  op: Op,
  { entry, filter, sub, path }: Target & { filter: Filter; path: string },
  value: unknown,
): void {
  const items = listOf(valueIn(document, entry));
  const change = (item: unknown): unknown => {
    const record = isRecord(item) ? item : {};
    if (sub) return withPart(record, op, sub, value);
    const [normalized] = listOf(normalizeValue(entry.attribute, value));
    return op === 'remove' ? undefined : { ...record, ...(isRecord(normalized) ? normalized : {}) };
  };
  const matchFlags = items.map((item) => matches(filter, item));
  if (!matchFlags.includes(true) && op === 'replace')
    throw new ScimError('noTarget', `No value fulfils the filter of "${shorten(path)}".`);
  const demanded = !matchFlags.includes(true) && op === 'add' ? demandedBy(filter) : undefined;
  const newItems = demanded ? listOf(normalizeValue(entry.attribute, change(demanded))) : [];
  const changed = [
    ...items.map((item, index) => ({
      item: matchFlags[index] ? change(item) : item,
      isNew: matchFlags[index] === true,
    })),
    ...newItems.map((item) => ({ item, isNew: true })),
  ].filter(({ item }) => !isAbsent(item));
  const isTaken = changed.some(({ item, isNew }) => isNew && isRecord(item) && item.primary === true);
  const remaining = changed.map(({ item, isNew }) =>
    isTaken && !isNew && isRecord(item) && item.primary === true ? { ...item, primary: false } : item,
  );
  setAttribute(document, entry, remaining);
}
