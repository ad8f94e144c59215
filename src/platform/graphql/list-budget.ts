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
import { chargeAdmitted } from '../rate-limit/admission.ts';
import { requestSlot } from '../reads/request-slot.ts';
import { analyseBesideLists, type CostOf, type Fragments, isConnection } from './cost.ts';
import { Turns } from './turns.ts';

/**
 * Adds the actual items of lists that are not connections, such as the pages of a tree, to the cost of an operation while
 * it runs. Each item costs as much as an object of the selection. When the cost exceeds `MAX_QUERY_COST`, that list and
 * all later ones fail with `QUERY_TOO_COMPLEX`, and the resolvers of later lists are not called. The cost is charged to the
 * caller (`rate-limit/admission.ts`). Long lists yield to the event loop. Changes the schema in place.
 */
export function chargeLists(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__') || isConnection(type)) continue;
    for (const field of Object.values(type.getFields())) if (isCharged(field)) field.resolve = charging(field);
  }
  return schema;
}

/** The cost of lists with an argument `ids` is known before. */
const isCharged = ({ type, args }: GraphQLField<unknown, Context>) =>
  isListType(getNullableType(type)) && isCompositeType(getNamedType(type)) && !args.some(({ name }) => name === 'ids');

function charging({ resolve = defaultFieldResolver }: GraphQLField<unknown, Context>) {
  const resolver: GraphQLFieldResolver<unknown, Context> = (source, args, ctx, info) => {
    const budget = budgetOf(ctx, info);
    if (budget.left < 0) throw tooMany(budget, info);
    const items = resolve(source, args, ctx, info);
    return items instanceof Promise ? chargedLater(ctx, info, budget, items) : charged(ctx, info, budget, items);
  };
  return resolver;
}

const chargedLater = async (ctx: Context, info: GraphQLResolveInfo, budget: Budget, items: Promise<unknown>) =>
  charged(ctx, info, budget, await items);

/** The items, or a promise of them for the turn in which they should be completed. */
function charged(ctx: Context, info: GraphQLResolveInfo, budget: Budget, items: unknown): unknown {
  if (!Array.isArray(items) || items.length === 0) return items;
  const cost = items.length * itemCost(info);
  budget.left -= cost;
  if (budget.left < 0) throw tooMany(budget, info);
  const admission = chargeAdmitted(ctx, cost);
  return admission ? inTurnAfter(admission, info, budget, items) : inTurn(info, budget, items);
}

const inTurnAfter = async (admission: Promise<unknown>, info: GraphQLResolveInfo, budget: Budget, items: unknown[]) => {
  await admission;
  return inTurn(info, budget, items);
};

function inTurn(info: GraphQLResolveInfo, { turns }: Budget, items: unknown[]): unknown {
  const turn = turns.next(items.length, fieldsOfItem(info));
  return turn ? after(turn, items) : items;
}

const after = async (turn: Promise<void>, items: unknown[]) => {
  await turn;
  return items;
};

interface Budget {
  max: number;
  left: number;
  turns: Turns;
}

/** Each operation, and each event of a subscription, has its own context. */
const budgets = requestSlot<Context, Budget>('budget of lists');

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
    `With the items of "${fieldName}", the response has more than ${max} objects. Select fewer fields of the items or fewer lists.`,
  );

const costs = new WeakMap<OperationDefinitionNode | FieldNode, CostOf>();

/** The cost of the operation without the items of its lists. */
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

/** The cost of an item of the list. */
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

/** Maximum number of fields of an item, including nested objects and one item of each nested list. */
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
