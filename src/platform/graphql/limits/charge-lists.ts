import { setImmediate } from 'node:timers/promises';
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
  type OperationDefinitionNode,
} from 'graphql';
import type { Context } from '../../context/context.ts';
import { ApiError } from '../../errors/errors.ts';
import { chargeAdmitted } from '../../query-cost/admission.ts';
import { requestSlot } from '../../reads/request-slot.ts';
import { analyseFixedCostOfSelections, type CostOf, isConnection } from './cost.ts';

/**
 * Number of objects in lists that an operation completes before it yields to the event loop: a few milliseconds.
 * Executors complete all items of a list, and all lists that were loaded together, in one tick.
 */
const OBJECTS_PER_TICK = 1_000;

/**
 * Adds the actual items of lists that are not connections, such as the pages of a tree, to the cost of an operation
 * while it runs. Each item costs as much as an object of the selection. When the cost exceeds `MAX_QUERY_COST`, that
 * list and all later ones fail with `QUERY_TOO_COMPLEX`, and the resolvers of later lists are not called. The cost is
 * charged to the caller (`query-cost/admission.ts`). Long lists yield to the event loop. Changes the schema in place.
 */
export function chargeLists(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__') || isConnection(type)) continue;
    for (const field of Object.values(type.getFields())) if (isCharged(field)) field.resolve = chargingResolver(field);
  }
  return schema;
}

/** The cost of lists with an argument `ids` is known before. */
const isCharged = ({ type, args }: GraphQLField<unknown, Context>) =>
  isListType(getNullableType(type)) && isCompositeType(getNamedType(type)) && !args.some(({ name }) => name === 'ids');

function chargingResolver({ resolve = defaultFieldResolver }: GraphQLField<unknown, Context>) {
  const resolver: GraphQLFieldResolver<unknown, Context> = (source, args, ctx, info) => {
    const budget = budgetOf(ctx, info);
    if (budget.remaining < 0) throw tooManyObjects(budget, info);
    const items = resolve(source, args, ctx, info);
    return items instanceof Promise
      ? chargeItemsLater(ctx, info, budget, items)
      : chargeItems(ctx, info, budget, items);
  };
  return resolver;
}

const chargeItemsLater = async (ctx: Context, info: GraphQLResolveInfo, budget: Budget, items: Promise<unknown>) =>
  chargeItems(ctx, info, budget, await items);

/** Charges the items, and returns them or a promise that resolves in the tick in which they should be completed. */
function chargeItems(ctx: Context, info: GraphQLResolveInfo, budget: Budget, items: unknown): unknown {
  if (!Array.isArray(items) || items.length === 0) return items;
  const cost = items.length * itemCost(info);
  budget.remaining -= cost;
  if (budget.remaining < 0) throw tooManyObjects(budget, info);
  const admission = chargeAdmitted(ctx, cost);
  const ready = admission ? admission.then(() => tickFor(budget, cost)) : tickFor(budget, cost);
  return ready ? after(ready, items) : items;
}

async function after(ready: Promise<unknown>, items: unknown[]): Promise<unknown[]> {
  await ready;
  return items;
}

/** Returns the tick in which objects should be completed. Undefined for the current one. */
function tickFor(budget: Budget, cost: number): Promise<unknown> | undefined {
  if (budget.inTick > OBJECTS_PER_TICK) {
    budget.inTick = 0;
    budget.tick = (budget.tick ?? Promise.resolve()).then(() => setImmediate());
  }
  budget.inTick += cost;
  return budget.tick;
}

interface Budget {
  max: number;
  remaining: number;
  /** Number of objects for the last tick that was planned. */
  inTick: number;
  tick: Promise<unknown> | undefined;
}

/** Each operation, and each event of a subscription, has its own context. */
const budgets = requestSlot<Context, Budget>('budget of lists');

function budgetOf(ctx: Context, info: GraphQLResolveInfo): Budget {
  const existing = budgets.get(ctx);
  if (existing) return existing;
  const max = ctx.services.config.maxQueryCost;
  const budget: Budget = { max, remaining: max - operationCost(info), inTick: 0, tick: undefined };
  budgets.set(ctx, budget);
  return budget;
}

const tooManyObjects = ({ max }: Budget, { fieldName }: GraphQLResolveInfo) =>
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
    cost = analyseFixedCostOfSelections(schema, fragments, { selectionSet: operation.selectionSet, type });
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
      cost = analyseFixedCostOfSelections(schema, fragments, { selectionSet: node.selectionSet, type });
      costs.set(node, cost);
    }
    total += cost?.(variableValues) ?? 0;
  }
  return total;
}
