import { fetchQuery, type GraphQLTaggedNode, type IEnvironment, type OperationType } from 'relay-runtime';

/** Reads a query again. What is shown changes when the result has arrived; without one it stays. */
export function refresh<T extends OperationType>(
  environment: IEnvironment,
  query: GraphQLTaggedNode,
  variables: T['variables'],
): void {
  fetchQuery<T>(environment, query, variables).subscribe({ error: () => {} });
}
