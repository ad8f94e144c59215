import { randomBytes } from 'node:crypto';
import { sha256 } from '../canonical.ts';
import type { AnyNode, Block, BlockOf, JSONDocument } from './document.ts';
import { recordsOf, tableColumns } from './table-cells.ts';
import { renameTable } from './table-ids.ts';
import { walk } from './walk.ts';

export type NextKey = () => string;

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZabcdefghjkmnpqrstvwxyz';
const length = 12;
let pool = Buffer.alloc(0);

/** A short random key of letters and digits with about 69 bits, which is unique in practice. */
export function makeKey(): string {
  if (pool.length < length) pool = randomBytes(4096);
  let key = '';
  for (let i = 0; i < length; i++) key += alphabet.charAt((pool[i] ?? 0) % alphabet.length);
  pool = pool.subarray(length);
  return key;
}

/** Keys `k1`, `k2`, …, for tests and for deterministic output. */
export function countedKeys(prefix = 'k'): NextKey {
  let count = 0;
  return () => {
    count += 1;
    return `${prefix}${count}`;
  };
}

/** Gives a key to every node that has none or a duplicate one, in a tree that the caller owns. */
export function assignKeys(document: JSONDocument, nextKey: NextKey = makeKey): void {
  const used = new Set<string>();
  const lacking: AnyNode[] = [];
  walk(document, (node) => {
    if (node.key === undefined || used.has(node.key)) lacking.push(node);
    else used.add(node.key);
  });
  for (const node of lacking) {
    node.key = unusedKey(used, nextKey);
    used.add(node.key);
  }
}

export function unusedKey(used: ReadonlySet<string>, nextKey: NextKey): string {
  let key = nextKey();
  while (used.has(key)) key = nextKey();
  return key;
}

/**
 * A copy without identities: without keys and anchors, and with table columns, records and cells numbered. Documents
 * have the same content if these copies are equal.
 */
export function withoutKeys<T>(value: T): T {
  return stripped(value) as T; // properties are only left out or renamed
}

function stripped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(stripped);
  if (typeof value !== 'object' || value === null) return value;
  const source = isTable(value) ? withPlacedIds(value) : value;
  const copy: Record<string, unknown> = {};
  const isNode = 'object' in source;
  for (const [name, member] of Object.entries(source)) {
    if (member === undefined || (isNode && (name === 'key' || name === 'meta'))) continue;
    copy[name] = isNode && name === 'data' ? member : stripped(member);
  }
  return copy;
}

function isTable(value: object): value is BlockOf<'table'> {
  const node = value as Partial<Block>; // reads two properties of an unknown object
  return node.object === 'block' && node.type === 'table';
}

function withPlacedIds(table: BlockOf<'table'>): BlockOf<'table'> {
  const columns = new Map(tableColumns(table).map((column, i) => [column.id, `c${i}`]));
  const records = new Map(recordsOf(table).map(([id], i) => [id, `r${i}`]));
  const column = (id: string): string => columns.get(id) ?? id;
  const record = (id: string): string => records.get(id) ?? id;
  return renameTable(table, {
    column,
    record,
    cell: (inRecord, inColumn) => `${record(inRecord)}${column(inColumn)}`,
    orderIndex: record,
    header: (inColumn) => `header-${column(inColumn)}`,
  });
}

/** Keys that depend only on the seed, so that merges are deterministic. */
export function freshKeys(seed: string): NextKey {
  let count = 0;
  return () => sha256(`${seed}:${count++}`).slice(0, 12);
}
