import type { FragmentDefinitionNode, GraphQLResolveInfo, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import type { ResponsePosition } from './position.ts';

/** The parts of an operation that resolvers can read in `GraphQLResolveInfo`. */
export interface OperationParts {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly fragments: Record<string, FragmentDefinitionNode>;
}

type Path = GraphQLResolveInfo['path'];

/** The fourth argument of resolvers. The path is made only for resolvers that read it. */
export class FieldInfo implements GraphQLResolveInfo {
  readonly #parts: OperationParts;
  readonly #position: ResponsePosition;
  readonly #indexes: readonly number[];
  readonly variableValues: Record<string, unknown>;
  readonly rootValue = undefined;

  constructor(
    parts: OperationParts,
    variables: Record<string, unknown>,
    position: ResponsePosition,
    indexes: readonly number[],
  ) {
    this.#parts = parts;
    this.#position = position;
    this.#indexes = indexes;
    this.variableValues = variables;
  }

  get fieldName() {
    return this.#position.field.definition.name;
  }

  get fieldNodes() {
    return this.#position.field.nodes;
  }

  get returnType() {
    return this.#position.field.definition.type;
  }

  get parentType() {
    return this.#position.field.parentType;
  }

  get path(): Path {
    return pathOf(this.#position, this.#indexes);
  }

  get schema() {
    return this.#parts.schema;
  }

  get fragments() {
    return this.#parts.fragments;
  }

  get operation() {
    return this.#parts.operation;
  }
}

function pathOf({ outer, isItem, lists, field }: ResponsePosition, indexes: readonly number[]): Path {
  const prev = outer && pathOf(outer, indexes);
  return isItem
    ? { prev, key: indexes[lists - 1] ?? 0, typename: undefined }
    : { prev, key: field.key, typename: field.parentType.name };
}
