import {
  type DocumentNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { countOverlaps } from './count-overlaps.ts';
import { fragmentsOf } from './fragments-of.ts';

/** Limits of an operation or an unused fragment. Fragments count as often as they are spread. */
const DOCUMENT_LIMITS = {
  /** Nested fields. GraphiQL's introspection query has 15 levels. */
  depth: 15,
  aliases: 100,
  directives: 50,
  /** Fields, spreads and inline fragments. */
  selections: 2_000,
  /** Fields of the root type, such as mutations. */
  rootFields: 20,
  /** Selections with the same field name or alias in one selection set. */
  duplicates: 10,
};

/** Limits of a document, since validation processes all of its operations. */
const WHOLE_LIMITS = {
  operations: 100,
  fragments: 250,
  /** Selections of all operations and unused fragments. */
  selections: 10_000,
  /**
   * Comparisons of fields and fragments that may have to be merged. Their number grows quadratically: see
   * `count-overlaps.ts`.
   */
  overlaps: 10_000,
};

type Size = typeof DOCUMENT_LIMITS;

const NAMES: Record<keyof Size, string> = {
  depth: 'levels of fields',
  aliases: 'aliases',
  directives: 'directives',
  selections: 'fields and fragments',
  rootFields: 'root fields',
  duplicates: 'fields with the same name in one selection set',
};

const WHOLE_NAMES: Record<keyof typeof WHOLE_LIMITS, string> = {
  operations: 'operations',
  fragments: 'fragments',
  selections: 'fields and fragments in all operations together',
  overlaps: 'pairs of fields or fragments at the same place of the response',
};

/**
 * Describes the first limit that a document exceeds. Undefined if it exceeds none. Unused fragments count too. Takes
 * linear time in the size of the document, whose nesting must be bounded. Ignores cycles of fragments, which validation
 * rejects.
 */
export function excessOf(document: DocumentNode): string | undefined {
  const measure = new Measure(document);
  const total = { operations: 0, fragments: 0, selections: 0, overlaps: 0 };
  for (const definition of document.definitions) {
    if (!('selectionSet' in definition)) continue;
    const isOperation = definition.kind === Kind.OPERATION_DEFINITION;
    const size = isOperation ? measure.ofOperation(definition) : measure.ofFragment(definition.name.value);
    const excess = excessIn(size, isOperation);
    if (excess !== undefined) return excess;
    total[isOperation ? 'operations' : 'fragments']++;
    if (isOperation) total.selections += size.selections;
  }
  for (const { selections } of measure.unspread()) total.selections += selections;
  // Counted last, since it takes time in proportion to the selections.
  if (total.selections <= WHOLE_LIMITS.selections) total.overlaps = countOverlaps(document, WHOLE_LIMITS.overlaps + 1);
  const name = keysOf(WHOLE_LIMITS).find((key) => total[key] > WHOLE_LIMITS[key]);
  return name && sentence('A document', WHOLE_LIMITS[name], WHOLE_NAMES[name]);
}

function excessIn(size: Size, isOperation: boolean): string | undefined {
  const limited = keysOf(DOCUMENT_LIMITS).filter((key) => isOperation || key !== 'rootFields');
  const name = limited.find((key) => size[key] > DOCUMENT_LIMITS[key]);
  return name && sentence(isOperation ? 'An operation' : 'A fragment', DOCUMENT_LIMITS[name], NAMES[name]);
}

const sentence = (what: string, max: number, name: string) =>
  `${what} can have at most ${max} ${name}. This one has more.`;

const keysOf = <Limits extends object>(limits: Limits) => Object.keys(limits) as (keyof Limits)[]; // its own keys

const NOTHING: Size = {
  depth: 0,
  aliases: 0,
  directives: 0,
  selections: 0,
  rootFields: 0,
  duplicates: 0,
};

class Measure {
  readonly #fragments: ReturnType<typeof fragmentsOf>;
  readonly #sizes = new Map<string, Size>();
  readonly #spread = new Set<string>();

  constructor(document: DocumentNode) {
    this.#fragments = fragmentsOf(document);
  }

  ofOperation({ selectionSet, directives = [] }: OperationDefinitionNode): Size {
    return this.#ofSelections(selectionSet, directives.length);
  }

  /** Sizes of unused fragments, including those that only spread each other. */
  unspread(): Size[] {
    return [...this.#fragments.keys()].filter((name) => !this.#spread.has(name)).map((name) => this.ofFragment(name));
  }

  #ofSelections({ selections }: SelectionSetNode, directives: number): Size {
    const total = { ...NOTHING, directives };
    const seen = new Map<string, number>();
    for (const node of selections) {
      add(total, node, this.#inside(node));
      if (node.kind !== Kind.FIELD) continue;
      const name = (node.alias ?? node.name).value;
      seen.set(name, (seen.get(name) ?? 0) + 1);
    }
    total.duplicates = Math.max(total.duplicates, ...seen.values());
    return total;
  }

  #inside(node: SelectionNode): Size {
    if (node.kind === Kind.FRAGMENT_SPREAD) {
      this.#spread.add(node.name.value);
      return this.ofFragment(node.name.value);
    }
    return node.selectionSet ? this.#ofSelections(node.selectionSet, 0) : NOTHING;
  }

  ofFragment(name: string): Size {
    const cached = this.#sizes.get(name);
    const fragment = this.#fragments.get(name);
    if (cached || !fragment) return cached ?? NOTHING;
    // Empty while the fragment is being measured, so that cycles end.
    this.#sizes.set(name, NOTHING);
    const size = this.#ofSelections(fragment.selectionSet, fragment.directives?.length ?? 0);
    this.#sizes.set(name, size);
    return size;
  }
}

/** Adds one selection and what is inside it. */
function add(total: Size, node: SelectionNode, inside: Size): void {
  const isField = node.kind === Kind.FIELD;
  total.depth = Math.max(total.depth, inside.depth + (isField ? 1 : 0));
  total.aliases += inside.aliases + (isField && node.alias ? 1 : 0);
  total.directives += inside.directives + (node.directives?.length ?? 0);
  total.selections += inside.selections + 1;
  total.rootFields += isField ? 1 : inside.rootFields;
  total.duplicates = Math.max(total.duplicates, inside.duplicates);
}
