import { type DocumentNode, Kind, type ValueNode, visit } from 'graphql';

/** The share keys of a request with these variables. */
export type ShareKeysOf = (variables: Readonly<Record<string, unknown>>) => unknown[];

/** Name of the arguments that take a share key. */
const SHARE_KEY = 'shareKey';

/**
 * The values of all arguments `shareKey` of a document. They are read before the execution, so that what a request
 * shows does not depend on the order in which its fields are resolved.
 */
export function shareKeysIn(document: DocumentNode): ShareKeysOf {
  const values: ValueNode[] = [];
  visit(document, {
    [Kind.ARGUMENT]: ({ name, value }) => {
      if (name.value === SHARE_KEY) values.push(value);
    },
  });
  return (variables) => values.flatMap((value) => givenValue(value, variables) ?? []);
}

function givenValue(value: ValueNode, variables: Readonly<Record<string, unknown>>): unknown {
  if (value.kind === Kind.STRING) return value.value;
  return value.kind === Kind.VARIABLE ? variables[value.name.value] : undefined;
}
