import {
  defaultTypeResolver,
  type GraphQLAbstractType,
  GraphQLError,
  type GraphQLObjectType,
  isObjectType,
} from 'graphql';
import type { Execution } from './execution.ts';
import type { Plan, PlanContext } from './plan.ts';
import type { ResponsePosition } from './position.ts';

/** Returns the plan for a value of a position. Null after an error has been reported. */
type ChoosePlan = (x: Execution, value: unknown, indexes: readonly number[]) => Plan | null;

/**
 * Chooses the plan of a value by its type: that of an interface or union, or an object type that checks its values.
 * Types must be known without promises.
 */
export function choosePlan(
  planContext: PlanContext,
  type: GraphQLAbstractType | GraphQLObjectType,
  position: ResponsePosition,
): ChoosePlan {
  const { schema } = planContext;
  const plans = new Map<string, Plan>();
  const nameOf = (x: Execution, value: unknown, indexes: readonly number[]): unknown => {
    const info = x.infoOf(position, indexes);
    if (!isObjectType(type)) return (type.resolveType ?? defaultTypeResolver)(value, x.context, info, type);
    return type.isTypeOf?.(value, x.context, info) ? type.name : undefined;
  };
  const planOf = (name: unknown): Plan => {
    const objectType = typeof name === 'string' ? schema.getType(name) : undefined;
    const isPossible =
      isObjectType(objectType) && (objectType === type || (!isObjectType(type) && schema.isSubType(type, objectType)));
    if (!isPossible) throw new GraphQLError(`The type ${type.name} has no object type for the value.`);
    const plan = planContext.below(objectType, position);
    plans.set(objectType.name, plan);
    return plan;
  };
  return (x, value, indexes) => {
    try {
      const name = nameOf(x, value, indexes);
      return (typeof name === 'string' && plans.get(name)) || planOf(name);
    } catch (error) {
      return x.reportError(position, error, indexes);
    }
  };
}
