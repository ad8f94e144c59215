import {
  type DocumentNode,
  GraphQLBoolean,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  type TypeNode,
  visit,
} from 'graphql';
import { collectFields } from './collect-fields.ts';
import { countFields } from './count-fields.ts';
import { Execution, type SizedResult } from './execution.ts';
import type { OperationParts } from './field-info.ts';
import { ObjectPlan } from './object-plan.ts';
import type { Plan, PlanContext, SizeEstimate } from './plan.ts';

type Variables = Record<string, unknown>;

/** An operation as functions, with the results of `execute` of graphql-js in a fraction of the time. */
export interface CompiledOperation {
  /** Executes with coerced variables. Undefined if `execute` has to run them: see `MAX_COMBINATIONS`. */
  run(context: unknown, variables: Variables): Promise<SizedResult> | undefined;
}

export interface CompileOptions {
  /** How the size of results is estimated. Default: it is 0. */
  size?: SizeEstimate;
}

/**
 * Maximum number of combinations of the values of variables in `@skip` and `@include` that an operation is compiled
 * for.
 */
const MAX_COMBINATIONS = 4;
/** Maximum number of fields of an operation (`countFields`). Each takes about 0.02 ms to compile. */
const MAX_FIELDS = 3_000;

const NO_SIZE: SizeEstimate = { perValue: 0, of: () => 0 };

/**
 * Compiles a valid query or mutation (GraphQL specification, 6 "Execution"). Objects are compiled when the first one is
 * completed, once for each combination of the values of variables in `@skip` and `@include`. Null if `execute` of
 * graphql-js has to run the operation: subscriptions, and operations with more than 3,000 fields, counted for each
 * object type at each position.
 */
export function compileOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  { size = NO_SIZE }: CompileOptions = {},
): CompiledOperation | null {
  const parts: OperationParts = { schema, operation, fragments: fragmentsOf(document) };
  if (operation.operation === 'subscription' || countFields(parts, operation, MAX_FIELDS) > MAX_FIELDS) return null;
  const conditions = conditionsOf(operation, document);
  const compiled = new Map<string, Roots>();
  const rootsFor = (variables: Variables): Roots | undefined => {
    const values = conditions.map((name) => variables[name]);
    const combination = values.join();
    const cached = compiled.get(combination);
    if (cached || compiled.size === MAX_COMBINATIONS) return cached;
    const deciding = Object.fromEntries(conditions.map((name, index) => [name, values[index]]));
    const roots = planRoots(parts, deciding, size);
    compiled.set(combination, roots);
    return roots;
  };
  return {
    run(context, variables) {
      try {
        const roots = rootsFor(variables);
        return roots && execute(roots, new Execution(parts, context, variables));
      } catch (error) {
        // The selection of the root cannot be read, since a condition is null.
        if (!(error instanceof GraphQLError)) throw error;
        return Promise.resolve({ result: { errors: [error], data: null }, size: undefined });
      }
    },
  };
}

/** Number of fields that the operations of a document have when all of them are compiled for all combinations. */
export function countCompiledFields(schema: GraphQLSchema, document: DocumentNode): number {
  const fragments = fragmentsOf(document);
  let total = 0;
  for (const operation of document.definitions) {
    if (operation.kind !== Kind.OPERATION_DEFINITION || operation.operation === 'subscription') continue;
    const fields = countFields({ schema, fragments }, operation, MAX_FIELDS);
    if (fields > MAX_FIELDS) continue;
    total += fields * Math.min(2 ** conditionsOf(operation, document).length, MAX_COMBINATIONS);
  }
  return total;
}

/** Plans that are executed one after another: of a query as a whole, or of each field of a mutation. */
type Roots = readonly Plan[];

function planRoots(parts: OperationParts, variables: Variables, size: SizeEstimate): Roots {
  const { schema, operation } = parts;
  const type = schema.getRootType(operation.operation);
  if (!type) throw new Error(`The schema has no type for the operation ${operation.operation}.`);
  const planContext: PlanContext = {
    ...parts,
    variables,
    size,
    fields: 0,
    below: (objectType, position) => ObjectPlan.below(planContext, objectType, position),
  };
  const fields = collectFields(planContext, type, [operation.selectionSet]);
  const groups = operation.operation === 'mutation' ? [...fields].map((field) => new Map([field])) : [fields];
  return groups.map((group) => new ObjectPlan(planContext, type, undefined, () => group));
}

async function execute(roots: Roots, execution: Execution): Promise<SizedResult> {
  const data: Record<string, unknown>[] = [];
  for (const root of roots) {
    data.push(root.run(execution, undefined));
    await execution.settled();
    if (execution.hasFailed) break;
  }
  const [first = {}] = data;
  return execution.result(data.length === 1 ? first : Object.assign(Object.create(null), ...data));
}

type Fragments = OperationParts['fragments'];

function fragmentsOf({ definitions }: DocumentNode): Fragments {
  const fragments: Fragments = Object.create(null);
  for (const definition of definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments[definition.name.value] = definition;
  return fragments;
}

/**
 * The names of the operation's variables in `@skip` and `@include`. Fragments that the operation does not spread can
 * name variables of other operations, which have other types here.
 */
function conditionsOf({ variableDefinitions = [] }: OperationDefinitionNode, document: DocumentNode): string[] {
  const names = new Set<string>();
  visit(document, {
    [Kind.DIRECTIVE]: ({ name, arguments: args = [] }) => {
      if (name.value !== 'skip' && name.value !== 'include') return;
      for (const { value } of args) if (value.kind === Kind.VARIABLE) names.add(value.name.value);
    },
  });
  return variableDefinitions
    .filter(({ type }) => isBoolean(type))
    .map(({ variable }) => variable.name.value)
    .filter((name) => names.has(name));
}

function isBoolean(type: TypeNode): boolean {
  const nullable = type.kind === Kind.NON_NULL_TYPE ? type.type : type;
  return nullable.kind === Kind.NAMED_TYPE && nullable.name.value === GraphQLBoolean.name;
}
