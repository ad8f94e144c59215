import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';

/**
 * Counts the comparisons that validation makes to check whether fields can be merged (GraphQL October 2021, 5.3.2): all
 * pairs of fields at the same place of the response, and all pairs of fragments in the same selection set. Unused
 * fragments count too, since they are validated. Stops counting at `max`.
 *
 * Takes time in proportion to the selections of the document, with fragments counted as often as they are spread. These
 * must be bounded. Ignores cycles of fragments, which validation rejects.
 */
export function countOverlaps(document: DocumentNode, max: number): number {
  const count = new Count(document, max);
  for (const node of document.definitions) if (node.kind === Kind.OPERATION_DEFINITION) count.add(node);
  for (const node of document.definitions) if (node.kind === Kind.FRAGMENT_DEFINITION) count.addUnlessSpread(node);
  return count.pairs;
}

class Count {
  pairs = 0;
  readonly #max: number;
  readonly #fragments = new Map<string, FragmentDefinitionNode>();
  readonly #spread = new Set<string>();
  /** Fragments that contain the current selections. */
  readonly #around = new Set<string>();

  constructor(document: DocumentNode, max: number) {
    this.#max = max;
    for (const node of document.definitions) {
      if (node.kind === Kind.FRAGMENT_DEFINITION) this.#fragments.set(node.name.value, node);
    }
  }

  add({ selectionSet }: OperationDefinitionNode | FragmentDefinitionNode): void {
    this.#addMerged([selectionSet]);
  }

  addUnlessSpread(fragment: FragmentDefinitionNode): void {
    if (!this.#spread.has(fragment.name.value)) this.add(fragment);
  }

  /** Counts in merged selection sets and, recursively, in the selections of their fields. */
  #addMerged(selectionSets: readonly SelectionSetNode[]): void {
    if (this.pairs >= this.#max) return;
    const fields = new Map<string, FieldNode[]>();
    const fragments = new Set<string>();
    for (const selectionSet of selectionSets) this.#collect(selectionSet, fields, fragments);
    this.#addPairs(fragments.size);
    for (const name of fragments) this.#around.add(name);
    for (const nodes of fields.values()) {
      this.#addPairs(nodes.length);
      const inside = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
      if (inside.length > 0) this.#addMerged(inside);
    }
    for (const name of fragments) this.#around.delete(name);
  }

  #collect({ selections }: SelectionSetNode, fields: Map<string, FieldNode[]>, fragments: Set<string>): void {
    for (const node of selections) {
      if (node.kind === Kind.FIELD) {
        const name = (node.alias ?? node.name).value;
        const known = fields.get(name);
        if (known) known.push(node);
        else fields.set(name, [node]);
      } else if (node.kind === Kind.INLINE_FRAGMENT) this.#collect(node.selectionSet, fields, fragments);
      else this.#collectFragment(node.name.value, fields, fragments);
    }
  }

  #collectFragment(name: string, fields: Map<string, FieldNode[]>, fragments: Set<string>): void {
    const fragment = this.#fragments.get(name);
    if (!fragment || fragments.has(name) || this.#around.has(name)) return;
    this.#spread.add(name);
    fragments.add(name);
    this.#collect(fragment.selectionSet, fields, fragments);
  }

  #addPairs(count: number): void {
    this.pairs += (count * (count - 1)) / 2;
  }
}
