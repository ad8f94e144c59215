import {
  defaultFieldResolver,
  type FieldNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import type { Context } from '../context.ts';
import { ApiError } from '../errors.ts';
import { analyseBesideLists, type CostOf, type Fragments, isConnection } from './cost.ts';
import { Turns } from './turns.ts';

/**
 * Charges the items of lists that are no connections, such as the pages of a tree, when they are known: before an
 * operation runs nobody can tell how many there are. Each item costs what one object of the selection costs; an operation
 * that comes to more than `MAX_QUERY_COST` in all gets `QUERY_TOO_COMPLEX` for that list and for all after it, whose
 * resolvers are then not called any more. Long answers are completed in several turns of the event loop. Changes the
 * schema in place.
 */
export function chargeLists(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__') || isConnection(type)) continue;
    for (const field of Object.values(type.getFields())) if (isCharged(field)) field.resolve = charging(field);
  }
  return schema;
}

/** Lists that are asked for by ids are charged by those, before. */
const isCharged = ({ type, args }: GraphQLField<unknown, Context>) =>
  isListType(getNullableType(type)) && isCompositeType(getNamedType(type)) && !args.some(({ name }) => name === 'ids');

function charging({ resolve = defaultFieldResolver }: GraphQLField<unknown, Context>) {
  const resolver: GraphQLFieldResolver<unknown, Context> = (source, args, ctx, info) => {
    const budget = budgetOf(ctx, info);
    if (budget.left < 0) throw tooMany(budget, info);
    const charge = (items: unknown) => {
      if (!Array.isArray(items) || items.length === 0) return items;
      budget.left -= items.length * itemCost(info);
      if (budget.left < 0) throw tooMany(budget, info);
      return budget.turns.next(items.length, fieldsOfItem(info))?.then(() => items) ?? items;
    };
    const items = resolve(source, args, ctx, info);
    return items instanceof Promise ? items.then(charge) : charge(items);
  };
  return resolver;
}

interface Budget {
  max: number;
  left: number;
  turns: Turns;
}

/** Each operation runs in a context of its own, and so does each event of a subscription. */
const budgets = new WeakMap<Context, Budget>();

function budgetOf(ctx: Context, info: GraphQLResolveInfo): Budget {
  const known = budgets.get(ctx);
  if (known) return known;
  const max = ctx.services.config.maxQueryCost;
  const budget = { max, left: max - operationCost(info), turns: new Turns() };
  budgets.set(ctx, budget);
  return budget;
}

const tooMany = ({ max }: Budget, { fieldName }: GraphQLResolveInfo) =>
  new ApiError(
    'QUERY_TOO_COMPLEX',
    `With the items of "${fieldName}" this answers more than ${max} objects. Ask for less of them, or for fewer such lists.`,
  );

const costs = new WeakMap<OperationDefinitionNode | FieldNode, CostOf>();

/** What the operation costs beside the items of its lists. */
function operationCost({ schema, fragments, operation, variableValues }: GraphQLResolveInfo): number {
  const type = schema.getRootType(operation.operation);
  if (!type) return 0;
  let cost = costs.get(operation);
  if (!cost) {
    cost = analyseBesideLists(schema, fragments, { selectionSet: operation.selectionSet, type });
    costs.set(operation, cost);
  }
  return cost(variableValues);
}

/** What one item costs, wherever in the operation its fields are selected. */
function itemCost({ schema, fragments, fieldNodes, returnType, variableValues }: GraphQLResolveInfo): number {
  let total = 1;
  for (const node of fieldNodes) {
    let cost = costs.get(node);
    if (!cost && node.selectionSet) {
      const type = getNamedType(returnType) as GraphQLCompositeType; // it has selections
      cost = analyseBesideLists(schema, fragments, { selectionSet: node.selectionSet, type });
      costs.set(node, cost);
    }
    total += cost?.(variableValues) ?? 0;
  }
  return total;
}

const fieldCounts = new WeakMap<FieldNode, number>();

/** How many fields an item has at most, those of objects inside it included and those of lists once. */
function fieldsOfItem({ fieldNodes, fragments }: GraphQLResolveInfo): number {
  let total = 0;
  for (const node of fieldNodes) {
    const count = fieldCounts.get(node) ?? (node.selectionSet ? countFields(node.selectionSet, fragments) : 0);
    fieldCounts.set(node, count);
    total += count;
  }
  return total;
}

function countFields({ selections }: SelectionSetNode, fragments: Fragments): number {
  let count = 0;
  for (const node of selections) {
    const inside = node.kind === Kind.FRAGMENT_SPREAD ? fragments[node.name.value]?.selectionSet : node.selectionSet;
    count += (node.kind === Kind.FIELD ? 1 : 0) + (inside ? countFields(inside, fragments) : 0);
  }
  return count;
}
