import type { AnyNode, JSONDocument } from './document.ts';
import { childrenOf, walk } from './walk.ts';

/** The size of a value, for limits. */
export interface Size {
  /** Number of JSON values. */
  values: number;
  /** Total length of strings in UTF-16 units, not counting property names. */
  characters: number;
  /** Depth of nested lists and objects. */
  depth: number;
}

/** Stops counting beyond any of the limits. Iterative, so it handles any depth. */
export function sizeOf(value: unknown, max: Size): Size {
  const size = { values: 0, characters: 0, depth: 0 };
  const pending = [value];
  const depths = [0];
  while (pending.length > 0 && isWithinSize(size, max)) {
    const current = pending.pop();
    const depth = depths.pop() ?? 0;
    size.values++;
    if (typeof current === 'string') size.characters += current.length;
    if (typeof current !== 'object' || current === null) continue;
    size.depth = Math.max(size.depth, depth + 1);
    for (const member of Object.values(current)) {
      pending.push(member);
      depths.push(depth + 1);
    }
  }
  return size;
}

export const isWithinSize = ({ values, characters, depth }: Size, max: Size): boolean =>
  values <= max.values && characters <= max.characters && depth <= max.depth;

/** Memory of a value besides its text: its object, or its place in another one. */
const VALUE_BYTES = 40;

const ANY: Size = { values: Infinity, characters: Infinity, depth: Infinity };

/** Roughly the memory that a value takes, in bytes. For caches that are limited by it. */
export function memoryOf(value: unknown): number {
  const { values, characters } = sizeOf(value, ANY);
  return VALUE_BYTES * values + 2 * characters;
}

/** Whether a document has more than this number of nodes and cells of tables. Stops counting there. */
export function isLargerThan(nodes: number, document: JSONDocument): boolean {
  let level: readonly AnyNode[] = document.nodes;
  let count = 0;
  while (level.length > 0) {
    count += level.length;
    for (const node of level) count += cellsIn(node);
    if (count > nodes) return true;
    level = level.flatMap(childrenOf);
  }
  return false;
}

/** Maximum number of cells of a table, and of all tables of a body. */
export const MAX_CELLS = 100_000;

/** Number of cells of all tables: columns times records. Only some have nodes, but all are processed. */
export function countCells(document: JSONDocument): number {
  let cells = 0;
  walk(document, (node) => {
    cells += cellsIn(node);
  });
  return cells;
}

/** The same of one node, which may be a table. */
function cellsIn(node: AnyNode): number {
  if (node.object !== 'block' || node.type !== 'table') return 0;
  return Object.keys(node.data.records).length * Object.keys(node.data.definition).length;
}
