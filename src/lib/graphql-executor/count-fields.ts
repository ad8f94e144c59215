import {
  type GraphQLCompositeType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { appliesTo } from './collect-fields.ts';
import type { OperationParts } from './field-info.ts';
import { definitionOf } from './object-plan.ts';

/** Maximum number of selections that are visited, since fragments can be spread in many places. */
const MAX_STEPS = 20_000;

/**
 * Maximum number of fields of a compiled operation: the fields of each possible object type at each position. Infinity
 * if there are more than `max`, or if counting takes too long.
 */
export function countFields(
  { schema, fragments }: Pick<OperationParts, 'schema' | 'fragments'>,
  operation: OperationDefinitionNode,
  max: number,
): number {
  const root = schema.getRootType(operation.operation);
  const counter = new Counter(schema, fragments, max);
  if (root) counter.addObject(root, [operation.selectionSet]);
  return counter.total;
}

class Counter {
  readonly #schema: GraphQLSchema;
  readonly #fragments: OperationParts['fragments'];
  readonly #max: number;
  #fields = 0;
  #steps = 0;

  constructor(schema: GraphQLSchema, fragments: OperationParts['fragments'], max: number) {
    this.#schema = schema;
    this.#fragments = fragments;
    this.#max = max;
  }

  get total(): number {
    return this.#isOver() ? Number.POSITIVE_INFINITY : this.#fields;
  }

  /** Fields with the same key are completed together, and so are what they select. */
  addObject(type: GraphQLObjectType, sets: readonly SelectionSetNode[]): void {
    const below = new Map<string, { type: GraphQLCompositeType; sets: SelectionSetNode[] }>();
    const spread = new Set<string>();
    for (const set of sets) this.#collect(type, set, spread, below);
    for (const field of below.values()) {
      if (this.#isOver()) return;
      const types = isAbstractType(field.type) ? this.#schema.getPossibleTypes(field.type) : [field.type];
      for (const each of types) this.addObject(each, field.sets);
    }
  }

  #collect(
    type: GraphQLObjectType,
    { selections }: SelectionSetNode,
    spread: Set<string>,
    below: Map<string, { type: GraphQLCompositeType; sets: SelectionSetNode[] }>,
  ): void {
    for (const node of selections) {
      this.#steps++;
      if (this.#isOver()) return;
      if (node.kind !== Kind.FIELD) {
        const name = node.kind === Kind.FRAGMENT_SPREAD ? node.name.value : undefined;
        if (name !== undefined && spread.has(name)) continue;
        if (name !== undefined) spread.add(name);
        const fragment = node.kind === Kind.FRAGMENT_SPREAD ? this.#fragments[node.name.value] : node;
        if (fragment && appliesTo(type, fragment, this.#schema))
          this.#collect(type, fragment.selectionSet, spread, below);
        continue;
      }
      this.#fields++;
      const field = definitionOf({ schema: this.#schema }, type, node.name.value);
      const named = field && getNamedType(field.type);
      if (!node.selectionSet || !isCompositeType(named)) continue;
      const key = node.alias?.value ?? node.name.value;
      const existing = below.get(key);
      if (existing) existing.sets.push(node.selectionSet);
      else below.set(key, { type: named, sets: [node.selectionSet] });
    }
  }

  #isOver(): boolean {
    return this.#fields > this.#max || this.#steps > MAX_STEPS;
  }
}
