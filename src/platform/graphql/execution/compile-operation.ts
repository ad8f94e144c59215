import {
  type DocumentNode,
  type ExecutionResult,
  GraphQLBoolean,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  type TypeNode,
  visit,
} from 'graphql';
import { collectFields } from 'graphql/execution/collectFields.js';
import { Execution } from './execution.ts';
import type { OperationFacts } from './field-info.ts';
import { ObjectPlan } from './object-plan.ts';
import type { Plan, Planning } from './plan.ts';
import { fieldsIn } from './size.ts';

type Variables = Record<string, unknown>;

/** An operation as functions: it answers what `execute` of graphql-js answers, in a fraction of the time. */
export interface CompiledOperation {
  /** Executes with coerced variables. Undefined if the operation has been compiled for other combinations of conditions. */
  run(context: unknown, variables: Variables): Promise<ExecutionResult> | undefined;
}

/** Maximum number of combinations of the values of variables in `@skip` and `@include` that an operation is compiled for. */
const MAX_COMBINATIONS = 4;
/** Maximum number of fields of an operation (`fieldsIn`). Each takes about 0.02 ms to compile. */
const MAX_FIELDS = 3_000;

/**
 * Compiles a valid query or mutation (GraphQL specification, 6 "Execution"). Objects are compiled when the first one is
 * completed, once for each combination of the values of variables in `@skip` and `@include`. Null if the operation is not
 * supported: subscriptions, and operations with more than 3,000 fields, counted for each object type at each position.
 */
export function compileOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): CompiledOperation | null {
  const fragments = fragmentsOf(document);
  const facts: OperationFacts = { schema, operation, fragments };
  if (operation.operation === 'subscription' || fieldsIn(facts, operation, MAX_FIELDS) > MAX_FIELDS) return null;
  const conditions = conditionsOf(operation, document);
  const compiled = new Map<string, Roots>();
  const rootsFor = (variables: Variables): Roots | undefined => {
    const values = conditions.map((name) => variables[name]);
    const combination = values.join();
    const known = compiled.get(combination);
    if (known || compiled.size === MAX_COMBINATIONS) return known;
    const roots = rootsOf(facts, Object.fromEntries(conditions.map((name, index) => [name, values[index]])));
    compiled.set(combination, roots);
    return roots;
  };
  return {
    run(context, variables) {
      try {
        const roots = rootsFor(variables);
        return roots && execute(roots, new Execution(facts, context, variables));
      } catch (error) {
        // The selection of the root cannot be read, since a condition is null.
        if (error instanceof GraphQLError) return Promise.resolve({ errors: [error], data: null });
        throw error;
      }
    },
  };
}

/** Number of fields that the operations of a document have when all of them are compiled for all combinations. */
export function compiledFieldsOf(schema: GraphQLSchema, document: DocumentNode): number {
  const fragments = fragmentsOf(document);
  let total = 0;
  for (const operation of document.definitions) {
    if (operation.kind !== Kind.OPERATION_DEFINITION || operation.operation === 'subscription') continue;
    const fields = fieldsIn({ schema, fragments }, operation, MAX_FIELDS);
    if (fields > MAX_FIELDS) continue;
    total += fields * Math.min(2 ** conditionsOf(operation, document).length, MAX_COMBINATIONS);
  }
  return total;
}

/** What is executed one after another: a query as a whole, or each field of a mutation. */
type Roots = readonly Plan[];

function rootsOf(facts: OperationFacts, variables: Variables): Roots {
  const { schema, operation, fragments } = facts;
  const type = schema.getRootType(operation.operation);
  if (!type) throw new Error(`The schema has no type for the operation ${operation.operation}.`);
  const planning: Planning = {
    ...facts,
    variables,
    fields: 0,
    below: (objectType, site) => ObjectPlan.below(planning, objectType, site),
  };
  const fields = collectFields(schema, fragments, variables, type, operation.selectionSet);
  const groups = operation.operation === 'mutation' ? [...fields].map((field) => new Map([field])) : [fields];
  return groups.map((group) => new ObjectPlan(planning, type, undefined, () => group));
}

async function execute(roots: Roots, execution: Execution): Promise<ExecutionResult> {
  const parts: object[] = [];
  for (const root of roots) {
    parts.push(root.run(execution, undefined));
    await execution.settled();
    if (execution.hasFailed) break;
  }
  return execution.result(parts.length === 1 ? parts[0] : Object.assign(Object.create(null), ...parts));
}

type Fragments = OperationFacts['fragments'];

function fragmentsOf({ definitions }: DocumentNode): Fragments {
  const fragments: Fragments = Object.create(null);
  for (const definition of definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments[definition.name.value] = definition;
  return fragments;
}

/**
 * The names of the operation's variables in `@skip` and `@include`. Fragments that the operation does not spread can name
 * variables of other operations, which have other types here.
 */
function conditionsOf({ variableDefinitions = [] }: OperationDefinitionNode, document: DocumentNode): string[] {
  const names = new Set<string>();
  visit(document, {
    [Kind.DIRECTIVE]: ({ name, arguments: given = [] }) => {
      if (name.value !== 'skip' && name.value !== 'include') return;
      for (const { value } of given) if (value.kind === Kind.VARIABLE) names.add(value.name.value);
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
