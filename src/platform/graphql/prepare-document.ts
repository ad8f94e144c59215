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
import { analyseCost, analyseCostBesideLists, type CostOf } from './cost.ts';
import { excessOf } from './document-limits.ts';
import type { ErrorCode } from './errors.ts';
import { type CompiledOperation, compiledFieldsOf } from './execution/compile-operation.ts';
import { isTooDeep, MAX_NESTING } from './nesting.ts';
import { type ShareKeysOf, shareKeysIn } from './share-keys.ts';

/** A valid document within the limits, with its operations. */
export interface Prepared {
  document: DocumentNode;
  /** Whether it uses introspection beyond names of types. */
  introspects: boolean;
  /** Number of fields that can be compiled, of all operations. */
  compiledFields: number;
  /** Filled when operations are first run. */
  operations: Map<OperationDefinitionNode, PreparedOperation>;
}

export interface PreparedOperation {
  costOf: CostOf;
  /** The part of the cost that is charged before execution: without the items of lists that are not connections. */
  knownCostOf: CostOf;
  shareKeysOf: ShareKeysOf;
  uses: number;
  /** Null if the compiler does not support the operation. */
  compiled: CompiledOperation | null | undefined;
}

/** Why a document cannot run. Copies of errors, since GraphQL errors keep the whole document in memory. */
export interface Unfit {
  faults: readonly Pick<GraphQLError, 'message' | 'locations'>[];
  code: ErrorCode;
}

const MAX_CHARACTERS = 200_000;
const MAX_TOKENS = 10_000;
/** The message of graphql-js when it aborts the comparison of fields. */
const GAVE_UP = 'Validation aborted.';
/** How its message begins when a document has too many tokens. Those of other errors can quote long names. */
const TOO_MANY_TOKENS = 'Syntax Error: Document contains more that ';
export const MAX_ERRORS = 20;

/** Parses and validates a document. Checks the limits before expensive steps. */
export function prepareDocument(schema: GraphQLSchema, text: string): Prepared | Unfit {
  if (text.length > MAX_CHARACTERS) {
    return tooComplex(`A document can have at most ${MAX_CHARACTERS} characters. This one has ${text.length}.`);
  }
  const document = parsed(text);
  if ('faults' in document) return document;
  if (isTooDeep(document)) return tooDeep();
  const excess = excessOf(document);
  if (excess !== undefined) return tooComplex(excess);
  const errors = validate(schema, document, specifiedRules, { maxErrors: MAX_ERRORS });
  if (errors.some(({ message }) => message === GAVE_UP)) return tooComplex('The document is too complex to validate.');
  const all = errors.length > 0 ? errors : inheritedNames(document);
  if (all.length > 0) return unfit(all, 'GRAPHQL_VALIDATION_FAILED');
  const compiledFields = compiledFieldsOf(schema, document);
  return { document, introspects: introspects(document), compiledFields, operations: new Map() };
}

/** One operation of a prepared document. */
export function operationOf(
  schema: GraphQLSchema,
  { document, operations }: Prepared,
  operation: OperationDefinitionNode,
): PreparedOperation {
  const known = operations.get(operation);
  if (known) return known;
  const prepared = {
    costOf: analyseCost(schema, document, operation),
    knownCostOf: analyseCostBesideLists(schema, document, operation),
    shareKeysOf: shareKeysIn(document),
    uses: 0,
    compiled: undefined,
  };
  operations.set(operation, prepared);
  return prepared;
}

/**
 * Errors for variables that are called like properties of all objects: graphql-js would read these from a variable that was
 * not sent.
 */
function inheritedNames({ definitions }: DocumentNode): GraphQLError[] {
  const variables = definitions.flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION ? (definition.variableDefinitions ?? []) : [],
  );
  return variables
    .filter(({ variable }) => variable.name.value in Object.prototype)
    .map((node) => new GraphQLError(`A variable cannot be called "$${node.variable.name.value}".`, { nodes: node }));
}

function parsed(text: string): DocumentNode | Unfit {
  try {
    return parse(text, { maxTokens: MAX_TOKENS });
  } catch (error) {
    // The parser recurses and throws a RangeError for thousands of open brackets.
    if (error instanceof RangeError) return tooDeep();
    if (!(error instanceof GraphQLError)) throw error;
    return error.message.startsWith(TOO_MANY_TOKENS)
      ? tooComplex(`A document can have at most ${MAX_TOKENS} tokens. This one has more.`)
      : unfit([error], 'GRAPHQL_PARSE_FAILED');
  }
}

const tooDeep = () => tooComplex(`The document is nested too deeply. At most ${MAX_NESTING} levels are allowed.`);

const tooComplex = (message: string): Unfit => unfit([new GraphQLError(message)], 'QUERY_TOO_COMPLEX');

const unfit = (errors: readonly GraphQLError[], code: ErrorCode): Unfit => ({
  faults: errors.map(({ message, locations }) => ({ message, locations })),
  code,
});

function introspects(document: DocumentNode): boolean {
  let found = false;
  visit(document, {
    [Kind.FIELD]: (field) => {
      if (field.name.value === '__schema' || (field.name.value === '__type' && !asksNameOnly(field))) found = true;
    },
  });
  return found;
}

/** Allowed without introspection, since errors of fragments reveal whether a type exists anyway. */
const asksNameOnly = ({ selectionSet }: FieldNode) =>
  selectionSet?.selections.every((node) => node.kind === Kind.FIELD && /^(__type)?name$/.test(node.name.value));
