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
import type { SelectedField } from './site.ts';

type Variables = Readonly<Record<string, unknown>>;

/** Reads a value. Undefined if there is none. Throws `Unusual` for what `getArgumentValues` must decide. */
type Read = (variables: Variables) => unknown;

class Unusual extends Error {}

/**
 * Makes the function that reads the arguments of a field: what `getArgumentValues` returns or throws, without looking at
 * the document again.
 */
export function argumentsReader({ definition, nodes: [node] }: Pick<SelectedField, 'definition' | 'nodes'>) {
  const given = new Map(node.arguments?.map(({ name, value }) => [name.value, value]));
  const read = membersReader(definition.args, given);
  return (variables: Record<string, unknown>): object => {
    try {
      if (read) return read(variables);
    } catch (error) {
      if (!(error instanceof Unusual)) throw error;
    }
    return getArgumentValues(definition, node, variables);
  };
}

type Member = Pick<GraphQLArgument | GraphQLInputField, 'name' | 'type' | 'defaultValue'>;

/** Reads arguments or the fields of an input object. Undefined if that is left to `getArgumentValues`. */
function membersReader(members: readonly Member[], given: ReadonlyMap<string, ValueNode>) {
  const reads: { name: string; read: Read; otherwise: unknown; isRequired: boolean }[] = [];
  for (const { name, type, defaultValue: otherwise } of members) {
    const value = given.get(name);
    const read = value ? valueReader(value, type) : () => undefined;
    if (!read) return undefined;
    reads.push({ name, read, otherwise, isRequired: isNonNullType(type) });
  }
  return (variables: Variables): object => {
    const values: Record<string, unknown> = {};
    for (const { name, read, otherwise, isRequired } of reads) {
      const value = read(variables);
      if (value === undefined && otherwise !== undefined) values[name] = otherwise;
      else if (isRequired && value == null) throw new Unusual();
      else if (value !== undefined) values[name] = value;
    }
    return values;
  };
}

function valueReader(node: ValueNode, type: GraphQLInputType): Read | undefined {
  if (node.kind === Kind.VARIABLE) {
    const name = node.name.value;
    return (variables) => variables[name];
  }
  if (!hasVariables(node)) {
    const value = valueFromAST(node, type);
    if (value === undefined) return undefined;
    // Resolvers may change objects, so that each gets its own.
    return typeof value === 'object' && value !== null ? () => valueFromAST(node, type) : () => value;
  }
  const named = getNullableType(type);
  if (node.kind !== Kind.OBJECT || !isInputObjectType(named) || named.isOneOf) return undefined;
  const given = new Map(node.fields.map((field) => [field.name.value, field.value]));
  return membersReader(Object.values(named.getFields()), given);
}

function hasVariables(node: ValueNode): boolean {
  let found = false;
  visit(node, {
    [Kind.VARIABLE]: () => {
      found = true;
    },
  });
  return found;
}
