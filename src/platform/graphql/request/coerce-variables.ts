import {
  coerceInputValue,
  GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  isInputType,
  isNonNullType,
  type NamedTypeNode,
  type TypeNode,
  typeFromAST,
  type VariableDefinitionNode,
  valueFromAST,
} from 'graphql';
import { weigh } from '../../../lib/json-weight.ts';
import { ApiError, type Issue } from '../../errors/errors.ts';
import { cutTo } from '../../shapes/cut-text.ts';
import { issueCodeOf } from './issue-code-of.ts';
import { MAX_ERRORS } from './prepare-document.ts';
import { shortenStrings } from './shorten-strings.ts';

/** Coerced variables, or the error. */
export type ReadVariables = { coerced: Record<string, unknown> } | { error: GraphQLError };

interface Options {
  /** Omits hints that reveal parts of the schema. */
  hideSuggestions: boolean;
}

/** Maximum size of the values that errors print, in characters. Each error may print all of them. */
const MAX_PRINTED = 200_000;
/** Maximum length of a message in characters, since messages can quote long values. */
const MAX_MESSAGE = 500;

/**
 * Coerces the variables of a request (GraphQL specification, 6.1.2 "Coercing Variable Values"). Invalid variables give
 * one BAD_USER_INPUT error. Its `issues` have paths in `variables`: `["input", "spaceId"]`.
 */
export function coerceVariables(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
  inputs: Readonly<Record<string, unknown>>,
  { hideSuggestions }: Options,
): ReadVariables {
  // Without a prototype, from which variables that were not sent would inherit values.
  const coerced: Record<string, unknown> = Object.create(null);
  const issues: Issue[] = [];
  let error: GraphQLError | undefined;
  for (const definition of definitions) {
    const name = definition.variable.name.value;
    try {
      const value = readVariable(schema, definition, inputs, hideSuggestions, (path, reason, message) => {
        const code = issueCodeOf(message ?? reason);
        const issue = { path: [name, ...path], message: reason, code };
        issues.push(issue);
        error ??= errorOf(definition, message ?? invalid(issue), issues);
        if (issues.length >= maxIssuesFor(inputs)) throw new TooMany();
      });
      if (value !== undefined) coerced[name] = value;
    } catch (thrown) {
      if (!(thrown instanceof TooMany)) throw thrown;
      break;
    }
  }
  return error ? { error } : { coerced };
}

/** Maximum number of issues, so that printing the values takes bounded time. */
const maxIssuesFor = (inputs: object) => Math.min(MAX_ERRORS, MAX_PRINTED / weigh(inputs, MAX_PRINTED));

/** Thrown to stop when enough errors were collected. */
class TooMany extends Error {}

/**
 * Reports an error: its path in the variable, its message of up to `MAX_MESSAGE` characters and, unless the value is
 * invalid, the message of the whole error.
 */
type Report = (path: readonly (string | number)[], reason: string, message?: string) => void;

function readVariable(
  schema: GraphQLSchema,
  { variable, type: typeNode, defaultValue }: VariableDefinitionNode,
  inputs: Readonly<Record<string, unknown>>,
  hideSuggestions: boolean,
  report: Report,
): unknown {
  const name = variable.name.value;
  const type = inputTypeOf(schema, typeNode);
  if (!Object.hasOwn(inputs, name)) {
    if (defaultValue) return valueFromAST(defaultValue, type);
    if (isNonNullType(type))
      report([], 'is required.', `Variable "$${name}" of required type "${type}" was not provided.`);
    return undefined;
  }
  const value = shortenStrings(inputs[name], type);
  if (value === null && isNonNullType(type)) {
    report([], 'must not be null.', `Variable "$${name}" of non-null type "${type}" must not be null.`);
    return undefined;
  }
  const onError = (path: readonly (string | number)[], _value: unknown, error: GraphQLError) => {
    const message = cutTo(MAX_MESSAGE, error.message);
    report([...path, ...memberIn(message)], message);
  };
  return coerceInputValue(value, type, onError, hideSuggestions);
}

/** Name of a missing or unknown property. graphql-js only gives the path of the object. */
function memberIn(message: string): string[] {
  const [, name] = /^Field "(\w+)" (?:of required type|is not defined by type) /.exec(message) ?? [];
  return name === undefined ? [] : [name];
}

function inputTypeOf(schema: GraphQLSchema, node: TypeNode): GraphQLInputType {
  const type = typeFromAST(schema, node as NamedTypeNode); // the overloads name each kind of node, not their union
  if (!type || !isInputType(type)) throw new Error('inputTypeOf() was called for a document that was not validated.');
  return type;
}

function invalid({ path, message }: Issue): string {
  const [name, ...within] = path;
  const place = within.length > 0 ? ` at "${path.join('.')}"` : '';
  return `Variable "$${name}" got an invalid value${place}: ${message}`;
}

/** One error for all issues, located at the variable of the first one. */
function errorOf(definition: VariableDefinitionNode, message: string, issues: readonly Issue[]): GraphQLError {
  const apiError = new ApiError('BAD_USER_INPUT', message, issues);
  return new GraphQLError(message, { nodes: definition, originalError: apiError });
}
