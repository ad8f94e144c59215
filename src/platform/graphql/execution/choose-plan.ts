import {
  defaultTypeResolver,
  type GraphQLAbstractType,
  GraphQLError,
  type GraphQLObjectType,
  isObjectType,
} from 'graphql';
import type { Execution } from './execution.ts';
import type { Plan, Planning } from './plan.ts';
import type { Site } from './site.ts';

/** The plan for a value of a position. Null if the value has none, which is noted as an error. */
type ChoosePlan = (x: Execution, value: unknown, indexes: readonly number[]) => Plan | null;

/**
 * Chooses the plan of a value by its type: that of an interface or union, or an object type that checks its values. Types
 * must be known without promises.
 */
export function choosePlan(planning: Planning, type: GraphQLAbstractType | GraphQLObjectType, site: Site): ChoosePlan {
  const { schema } = planning;
  const plans = new Map<string, Plan>();
  const nameOf = (x: Execution, value: unknown, indexes: readonly number[]): unknown => {
    const info = x.infoOf(site, indexes);
    if (!isObjectType(type)) return (type.resolveType ?? defaultTypeResolver)(value, x.context, info, type);
    return type.isTypeOf?.(value, x.context, info) ? type.name : undefined;
  };
  const planOf = (name: unknown): Plan => {
    const found = typeof name === 'string' ? schema.getType(name) : undefined;
    const isPossible =
      isObjectType(found) && (found === type || (!isObjectType(type) && schema.isSubType(type, found)));
    if (!isPossible) throw new GraphQLError(`The type ${type.name} has no object type for the value.`);
    const plan = planning.below(found, site);
    plans.set(found.name, plan);
    return plan;
  };
  return (x, value, indexes) => {
    try {
      const name = nameOf(x, value, indexes);
      return (typeof name === 'string' && plans.get(name)) || planOf(name);
    } catch (error) {
      return x.fail(site, error, indexes);
    }
  };
}
