import {
  type DocumentNode,
  type FieldNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  parse,
  specifiedRules,
  validate,
  visit,
} from 'graphql';
import { type CompiledOperation, countCompiledFields } from '../../../lib/graphql-executor/index.ts';
import { analyseCost, analyseFixedCost, type CostOf } from '../limits/cost.ts';
import { excessOf } from '../limits/document-limits.ts';
import { isTooDeep, MAX_NESTING } from '../limits/nesting-limit.ts';
import type { ErrorCode } from './errors.ts';
import { type ShareKeysOf, shareKeysIn } from './share-keys.ts';

/** A valid document within the limits, with its operations. */
export interface ExecutableDocument {
  document: DocumentNode;
  /** Whether it uses introspection beyond names of types. */
  introspects: boolean;
  /** Number of fields that can be compiled, of all operations. */
  compiledFields: number;
  /** Added when operations first run. */
  operations: Map<OperationDefinitionNode, PreparedOperation>;
}

export interface PreparedOperation {
  costOf: CostOf;
  /** The part of the cost that is charged before execution: without the items of lists that are not connections. */
  fixedCostOf: CostOf;
  shareKeysOf: ShareKeysOf;
  uses: number;
  /** Null if the executor does not support the operation. Undefined until it is compiled. */
  compiled: CompiledOperation | null | undefined;
}

/** A document that cannot run. Its errors are copies, since a `GraphQLError` keeps the whole document in memory. */
export interface InvalidDocument {
  errors: readonly Pick<GraphQLError, 'message' | 'locations'>[];
  code: ErrorCode;
}

const MAX_CHARACTERS = 200_000;
const MAX_TOKENS = 10_000;
/** Message of graphql-js when it stops comparing fields. */
const COMPARISON_ABORTED = 'Validation aborted.';
/** Start of the message of graphql-js when a document has too many tokens. */
const TOO_MANY_TOKENS = 'Syntax Error: Document contains more that ';
export const MAX_ERRORS = 20;

/** Parses and validates a document. Checks the limits before the steps that they bound. */
export function prepareDocument(schema: GraphQLSchema, text: string): ExecutableDocument | InvalidDocument {
  if (text.length > MAX_CHARACTERS) {
    return tooComplex(`A document can have at most ${MAX_CHARACTERS} characters. This one has ${text.length}.`);
  }
  const document = parsed(text);
  if ('errors' in document) return document;
  if (isTooDeep(document)) return tooDeep();
  const excess = excessOf(document);
  if (excess !== undefined) return tooComplex(excess);
  const errors = validate(schema, document, specifiedRules, { maxErrors: MAX_ERRORS });
  if (errors.some(({ message }) => message === COMPARISON_ABORTED))
    return tooComplex('The document is too complex to validate.');
  const all = errors.length > 0 ? errors : inheritedNames(document);
  if (all.length > 0) return invalid(all, 'GRAPHQL_VALIDATION_FAILED');
  const compiledFields = countCompiledFields(schema, document);
  return { document, introspects: introspects(document), compiledFields, operations: new Map() };
}

/** Returns one operation of a prepared document. */
export function preparedOperation(
  schema: GraphQLSchema,
  { document, operations }: ExecutableDocument,
  operation: OperationDefinitionNode,
): PreparedOperation {
  const cached = operations.get(operation);
  if (cached) return cached;
  const prepared = {
    costOf: analyseCost(schema, document, operation),
    fixedCostOf: analyseFixedCost(schema, document, operation),
    shareKeysOf: shareKeysIn(document),
    uses: 0,
    compiled: undefined,
  };
  operations.set(operation, prepared);
  return prepared;
}

/**
 * Errors for variables with the name of a property of `Object.prototype`, which graphql-js would read for one not sent.
 */
function inheritedNames({ definitions }: DocumentNode): GraphQLError[] {
  const variables = definitions.flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION ? (definition.variableDefinitions ?? []) : [],
  );
  return variables
    .filter(({ variable }) => variable.name.value in Object.prototype)
    .map((node) => new GraphQLError(`A variable cannot be called "$${node.variable.name.value}".`, { nodes: node }));
}

function parsed(text: string): DocumentNode | InvalidDocument {
  try {
    return parse(text, { maxTokens: MAX_TOKENS });
  } catch (error) {
    // The parser recurses and throws a RangeError for thousands of open brackets.
    if (error instanceof RangeError) return tooDeep();
    if (!(error instanceof GraphQLError)) throw error;
    return error.message.startsWith(TOO_MANY_TOKENS)
      ? tooComplex(`A document can have at most ${MAX_TOKENS} tokens. This one has more.`)
      : invalid([error], 'GRAPHQL_PARSE_FAILED');
  }
}

const tooDeep = () => tooComplex(`The document is nested too deeply. At most ${MAX_NESTING} levels are allowed.`);

const tooComplex = (message: string): InvalidDocument => invalid([new GraphQLError(message)], 'QUERY_TOO_COMPLEX');

const invalid = (errors: readonly GraphQLError[], code: ErrorCode): InvalidDocument => ({
  errors: errors.map(({ message, locations }) => ({ message, locations })),
  code,
});

function introspects(document: DocumentNode): boolean {
  let isFound = false;
  visit(document, {
    [Kind.FIELD]: (field) => {
      if (field.name.value === '__schema' || (field.name.value === '__type' && !asksNameOnly(field))) isFound = true;
    },
  });
  return isFound;
}

/** Allowed without introspection, since errors of fragments reveal whether a type exists anyway. */
const asksNameOnly = ({ selectionSet }: FieldNode) =>
  selectionSet?.selections.every((node) => node.kind === Kind.FIELD && /^(__type)?name$/.test(node.name.value));
