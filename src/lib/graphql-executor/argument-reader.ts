import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputType,
  getArgumentValues,
  getNullableType,
  isInputObjectType,
  isNonNullType,
  Kind,
  type ValueNode,
  valueFromAST,
  visit,
} from 'graphql';
import type { SelectedField } from './position.ts';

type Variables = Readonly<Record<string, unknown>>;

/** Reads a value. Undefined if it is missing. Can throw `DeferToGraphQLJS`. */
type Read = (variables: Variables) => unknown;

/** Thrown where `getArgumentValues` has to decide, which has the error and its message. */
class DeferToGraphQLJS extends Error {}

/**
 * Returns the function that reads the arguments of a field. It returns and throws what `getArgumentValues` does,
 * without reading the document again.
 */
export function makeArgumentReader({ definition, nodes: [node] }: Pick<SelectedField, 'definition' | 'nodes'>) {
  const values = new Map(node.arguments?.map(({ name, value }) => [name.value, value]));
  const read = makeMembersReader(definition.args, values);
  return (variables: Record<string, unknown>): object => {
    try {
      if (read) return read(variables);
    } catch (error) {
      if (!(error instanceof DeferToGraphQLJS)) throw error;
    }
    return getArgumentValues(definition, node, variables);
  };
}

type Member = Pick<GraphQLArgument | GraphQLInputField, 'name' | 'type' | 'defaultValue'>;

/** Reads arguments, or the fields of an input object. Undefined if `getArgumentValues` has to read them. */
function makeMembersReader(members: readonly Member[], values: ReadonlyMap<string, ValueNode>) {
  const reads: { name: string; read: Read; defaultValue: unknown; isRequired: boolean }[] = [];
  for (const { name, type, defaultValue } of members) {
    const value = values.get(name);
    const read = value ? makeValueReader(value, type) : () => undefined;
    if (!read) return undefined;
    reads.push({ name, read, defaultValue, isRequired: isNonNullType(type) });
  }
  return (variables: Variables): object => {
    const values: Record<string, unknown> = {};
    for (const { name, read, defaultValue, isRequired } of reads) {
      const value = read(variables);
      if (value === undefined && defaultValue !== undefined) values[name] = defaultValue;
      else if (isRequired && value == null) throw new DeferToGraphQLJS();
      else if (value !== undefined) values[name] = value;
    }
    return values;
  };
}

function makeValueReader(node: ValueNode, type: GraphQLInputType): Read | undefined {
  if (node.kind === Kind.VARIABLE) {
    const name = node.name.value;
    return (variables) => variables[name];
  }
  if (!hasVariables(node)) {
    const value = valueFromAST(node, type);
    if (value === undefined) return undefined;
    // Resolvers can change objects, so each gets its own.
    return typeof value === 'object' && value !== null ? () => valueFromAST(node, type) : () => value;
  }
  const named = getNullableType(type);
  if (node.kind !== Kind.OBJECT || !isInputObjectType(named) || named.isOneOf) return undefined;
  const values = new Map(node.fields.map((field) => [field.name.value, field.value]));
  return makeMembersReader(Object.values(named.getFields()), values);
}

function hasVariables(node: ValueNode): boolean {
  let hasVariable = false;
  visit(node, {
    [Kind.VARIABLE]: () => {
      hasVariable = true;
    },
  });
  return hasVariable;
}
