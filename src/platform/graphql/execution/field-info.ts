import type { FragmentDefinitionNode, GraphQLResolveInfo, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import type { Site } from './site.ts';

/** What resolvers can learn about the operation. */
export interface OperationFacts {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly fragments: Record<string, FragmentDefinitionNode>;
}

type Path = GraphQLResolveInfo['path'];

/** The last argument of resolvers. Only those that read the path pay for it. */
export class FieldInfo implements GraphQLResolveInfo {
  readonly #facts: OperationFacts;
  readonly #site: Site;
  readonly #indexes: readonly number[];
  readonly variableValues: Record<string, unknown>;
  readonly rootValue = undefined;

  constructor(facts: OperationFacts, variables: Record<string, unknown>, site: Site, indexes: readonly number[]) {
    this.#facts = facts;
    this.#site = site;
    this.#indexes = indexes;
    this.variableValues = variables;
  }

  get fieldName() {
    return this.#site.field.definition.name;
  }

  get fieldNodes() {
    return this.#site.field.nodes;
  }

  get returnType() {
    return this.#site.field.definition.type;
  }

  get parentType() {
    return this.#site.field.parentType;
  }

  get path(): Path {
    return pathOf(this.#site, this.#indexes);
  }

  get schema() {
    return this.#facts.schema;
  }

  get fragments() {
    return this.#facts.fragments;
  }

  get operation() {
    return this.#facts.operation;
  }
}

function pathOf({ outer, isItem, lists, field }: Site, indexes: readonly number[]): Path {
  const prev = outer && pathOf(outer, indexes);
  return isItem
    ? { prev, key: indexes[lists - 1] ?? 0, typename: undefined }
    : { prev, key: field.key, typename: field.parentType.name };
}
