import type { GraphQLObjectType } from 'graphql';
import type { Execution } from './execution.ts';
import type { OperationFacts } from './field-info.ts';
import type { Site } from './site.ts';

/** Completes objects of one type at one position of the response, with the indexes of the lists that they are in. */
export type CompleteObject = (x: Execution, source: unknown, ...indexes: number[]) => Record<string, unknown>;

/** How the objects of one type at one position of the response are completed. */
export interface Plan {
  readonly run: CompleteObject;
}

/** What the plans of one operation share while they are made. */
export interface Planning extends OperationFacts {
  /** Values that decide `@skip` and `@include`. */
  readonly variables: Record<string, unknown>;
  /** Number of fields so far. */
  fields: number;
  /** The plan for objects of a type below a position. */
  below(type: GraphQLObjectType, site: Site): Plan;
}
