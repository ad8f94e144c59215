import { canonicalJson } from '../../../canonical.ts';
import type { ContentRef } from '../../content-ref.ts';
import type { Block } from '../../document.ts';
import { withoutKeys } from '../../keys.ts';

/** Meaning of a block, without keys. */
export interface Meaning {
  /** Equal for blocks that mean the same. */
  identity: string;
  /** Equal for blocks that only differ in the targets of their links. */
  besidesLinks: string;
  /** The targets of its links, in the same order for blocks with equal `besidesLinks`. */
  refs: ContentRef[];
}

/** Cached, because blocks are compared several times, and printing those of a long text takes a while. */
const meanings = new WeakMap<Block, Meaning>();

export function meaningOf(block: Block): Meaning {
  const meaning = meanings.get(block) ?? printed(block);
  meanings.set(block, meaning);
  return meaning;
}

function printed(block: Block): Meaning {
  const plain = withoutKeys(block);
  const refs: ContentRef[] = [];
  const besides = withoutRefs(plain, refs);
  const identity = canonicalJson(plain);
  return { identity, besidesLinks: refs.length === 0 ? identity : canonicalJson(besides), refs };
}

const kinds: ReadonlySet<unknown> = new Set([
  'file',
  'url',
  'page',
  'anchor',
  'user',
  'collection',
  'space',
  'reusable-content',
  'openapi',
  'tag',
]);

function withoutRefs(value: unknown, refs: ContentRef[]): unknown {
  if (Array.isArray(value)) return value.map((each) => withoutRefs(each, refs));
  if (typeof value !== 'object' || value === null) return value;
  if (isRef(value)) {
    refs.push(value);
    return 'ref';
  }
  const sorted = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([name, member]) => [name, withoutRefs(member, refs)]));
}

function isRef(value: object): value is ContentRef {
  return 'kind' in value && kinds.has(value.kind) && !('object' in value);
}
