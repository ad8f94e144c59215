import { commitMutation, type GraphQLTaggedNode, type IEnvironment, type MutationParameters } from 'relay-runtime';

type Options<T extends MutationParameters> = Omit<
  Parameters<typeof commitMutation<T>>[1],
  'mutation' | 'variables' | 'onCompleted' | 'onError'
>;

/** Runs a mutation to its end, whether or not the component that began it is still there. */
export const commit = <T extends MutationParameters>(
  environment: IEnvironment,
  mutation: GraphQLTaggedNode,
  variables: T['variables'],
  options: Options<T> = {},
): Promise<T['response']> =>
  new Promise((resolve, reject) => {
    commitMutation<T>(environment, {
      ...options,
      mutation,
      variables,
      onCompleted: (response) => resolve(response),
      onError: reject,
    });
  });
