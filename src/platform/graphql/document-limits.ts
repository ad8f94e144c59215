import {
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

/** What an operation may have of each at most, fragments counted as often as they are spread. */
export const DOCUMENT_LIMITS = {
  /** Fields inside each other. GraphiQL's introspection has 15. */
  depth: 15,
  aliases: 100,
  directives: 50,
  /** Fields, spreads and inline fragments. */
  selections: 2_000,
  /** Fields of the operation itself: each mutation is one. */
  rootFields: 20,
  /** Definitions of fragments in the document. */
  fragments: 250,
  /** The same field, or alias, in one pair of braces. Comparing them, as fragments, takes time by the square. */
  duplicates: 10,
};

/** What there is of each in an operation. */
type Size = typeof DOCUMENT_LIMITS;

const NAMES: Record<keyof Size, string> = {
  depth: 'levels of fields',
  aliases: 'aliases',
  directives: 'directives',
  selections: 'fields and fragments',
  rootFields: 'fields at its top',
  fragments: 'fragments to choose from',
  duplicates: 'fields of one name beside each other',
};

/**
 * Says what an operation of a document has too much of, before anything expensive is done with it. Takes time in
 * proportion to the document, whose nesting must be bounded; a fragment that spreads itself is left to validation.
 */
export function excessOf(document: DocumentNode): string | undefined {
  const measure = new Measure(document);
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const size = measure.ofOperation(definition);
    for (const name of Object.keys(NAMES) as (keyof Size)[]) {
      // the keys of the record
      if (size[name] > DOCUMENT_LIMITS[name]) return sentence(name);
    }
  }
  return undefined;
}

const sentence = (name: keyof Size) =>
  `An operation may have at most ${DOCUMENT_LIMITS[name]} ${NAMES[name]}; this one has more.`;

const NOTHING: Size = {
  depth: 0,
  aliases: 0,
  directives: 0,
  selections: 0,
  rootFields: 0,
  fragments: 0,
  duplicates: 0,
};

class Measure {
  readonly #fragments = new Map<string, FragmentDefinitionNode>();
  readonly #known = new Map<string, Size>();

  constructor(document: DocumentNode) {
    for (const node of document.definitions) {
      if (node.kind === Kind.FRAGMENT_DEFINITION) this.#fragments.set(node.name.value, node);
    }
  }

  ofOperation({ selectionSet, directives = [] }: OperationDefinitionNode): Size {
    return { ...this.#ofSelections(selectionSet, directives.length), fragments: this.#fragments.size };
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
    if (node.kind === Kind.FRAGMENT_SPREAD) return this.#ofFragment(node.name.value);
    return node.selectionSet ? this.#ofSelections(node.selectionSet, 0) : NOTHING;
  }

  #ofFragment(name: string): Size {
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
