import type { GraphQLObjectType } from 'graphql';
import type { Execution } from './execution.ts';
import type { OperationParts } from './field-info.ts';
import type { ResponsePosition } from './position.ts';

/** Completes objects of one type at one position of the response, with the indexes of the lists that they are in. */
export type CompleteObject = (x: Execution, source: unknown, ...indexes: number[]) => Record<string, unknown>;

/** How the objects of one type at one position of the response are completed. */
export interface Plan {
  readonly run: CompleteObject;
}

/** How the size of a result is estimated, in characters of JSON. */
export interface SizeEstimate {
  /** Size of any value besides its characters. */
  readonly perValue: number;
  /** Size of a value that a scalar has serialized. */
  of(value: unknown): number;
}

/** What the plans of one operation share while they are made. */
export interface PlanContext extends OperationParts {
  /** Values that decide `@skip` and `@include`. */
  readonly variables: Record<string, unknown>;
  readonly size: SizeEstimate;
  /** Number of fields so far. */
  fields: number;
  /** The plan for objects of a type below a position. */
  below(type: GraphQLObjectType, position: ResponsePosition): Plan;
}
