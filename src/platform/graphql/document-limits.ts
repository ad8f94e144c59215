import {
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { countOverlaps } from './overlaps.ts';

/** What an operation, or a fragment that none spreads, may have of each at most; fragments count as often as they are spread. */
export const DOCUMENT_LIMITS = {
  /** Fields inside each other. GraphiQL's introspection has 15. */
  depth: 15,
  aliases: 100,
  directives: 50,
  /** Fields, spreads and inline fragments. */
  selections: 2_000,
  /** Fields of the operation itself: each mutation is one. */
  rootFields: 20,
  /** The same field, or alias, in one pair of braces. */
  duplicates: 10,
};

/** What a document may have of each at most, over all operations: validation looks at all of them. */
export const WHOLE_LIMITS = {
  operations: 100,
  fragments: 250,
  /** Selections of all operations and of all fragments that none spreads. */
  selections: 10_000,
  /** Comparisons of fields and fragments that may have to be merged. They grow by the square: see `overlaps.ts`. */
  overlaps: 10_000,
};

/** What there is of each in an operation. */
type Size = typeof DOCUMENT_LIMITS;

const NAMES: Record<keyof Size, string> = {
  depth: 'levels of fields',
  aliases: 'aliases',
  directives: 'directives',
  selections: 'fields and fragments',
  rootFields: 'fields at its top',
  duplicates: 'fields of one name beside each other',
};

const WHOLE_NAMES: Record<keyof typeof WHOLE_LIMITS, string> = {
  operations: 'operations',
  fragments: 'fragments to choose from',
  selections: 'fields and fragments over all operations',
  overlaps: 'pairs of fields or fragments at the same place of the answer',
};

/**
 * Says what a document has too much of, before anything expensive is done with it. Fragments are measured whether they
 * are spread or not. Takes time in proportion to the document, whose nesting must be bounded; a fragment that spreads
 * itself is left to validation.
 */
export function excessOf(document: DocumentNode): string | undefined {
  const measure = new Measure(document);
  const whole = { operations: 0, fragments: 0, selections: 0, overlaps: 0 };
  for (const definition of document.definitions) {
    if (!('selectionSet' in definition)) continue;
    const isOperation = definition.kind === Kind.OPERATION_DEFINITION;
    const size = isOperation ? measure.ofOperation(definition) : measure.ofFragment(definition.name.value);
    const excess = excessIn(size, isOperation);
    if (excess !== undefined) return excess;
    whole[isOperation ? 'operations' : 'fragments']++;
    if (isOperation) whole.selections += size.selections;
  }
  for (const { selections } of measure.unspread()) whole.selections += selections;
  // Counting them takes time in proportion to the selections.
  if (whole.selections <= WHOLE_LIMITS.selections) whole.overlaps = countOverlaps(document, WHOLE_LIMITS.overlaps + 1);
  const name = keysOf(WHOLE_LIMITS).find((key) => whole[key] > WHOLE_LIMITS[key]);
  return name && sentence('A document', WHOLE_LIMITS[name], WHOLE_NAMES[name]);
}

function excessIn(size: Size, isOperation: boolean): string | undefined {
  const limited = keysOf(DOCUMENT_LIMITS).filter((key) => isOperation || key !== 'rootFields');
  const name = limited.find((key) => size[key] > DOCUMENT_LIMITS[key]);
  return name && sentence(isOperation ? 'An operation' : 'A fragment', DOCUMENT_LIMITS[name], NAMES[name]);
}

const sentence = (what: string, max: number, name: string) =>
  `${what} may have at most ${max} ${name}; this one has more.`;

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
  readonly #fragments = new Map<string, FragmentDefinitionNode>();
  readonly #known = new Map<string, Size>();
  readonly #spread = new Set<string>();

  constructor(document: DocumentNode) {
    for (const node of document.definitions) {
      if (node.kind === Kind.FRAGMENT_DEFINITION) this.#fragments.set(node.name.value, node);
    }
  }

  ofOperation({ selectionSet, directives = [] }: OperationDefinitionNode): Size {
    return this.#ofSelections(selectionSet, directives.length);
  }

  /** The sizes of fragments that nothing measured before spreads; those that only spread each other are among them. */
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
    const known = this.#known.get(name);
    const fragment = this.#fragments.get(name);
    if (known || !fragment) return known ?? NOTHING;
    // What it has while it is being measured: nothing, so that a cycle ends.
    this.#known.set(name, NOTHING);
    const size = this.#ofSelections(fragment.selectionSet, fragment.directives?.length ?? 0);
    this.#known.set(name, size);
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
