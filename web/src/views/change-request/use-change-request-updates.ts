import { useMemo } from 'react';
import { fetchQuery, graphql, useRelayEnvironment, useSubscription } from 'react-relay';
import type { GraphQLSubscriptionConfig } from 'relay-runtime';
import type { changeRequestQuery } from '../../__generated__/changeRequestQuery.graphql.ts';
import changeRequestDocument from '../../__generated__/changeRequestQuery.graphql.ts';
import type { useChangeRequestUpdatesSubscription } from '../../__generated__/useChangeRequestUpdatesSubscription.graphql.ts';

/** Keeps a change request up to date while it is open: its status, what it changes, and whether it can be merged. */
export function useChangeRequestUpdates(id: string, variables: changeRequestQuery['variables']): void {
  const environment = useRelayEnvironment();
  const { spaceId, number } = variables;
  const config = useMemo((): GraphQLSubscriptionConfig<useChangeRequestUpdatesSubscription> => {
    const refresh = () => {
      fetchQuery<changeRequestQuery>(environment, changeRequestDocument, { spaceId, number }).subscribe({
        error: () => {},
      });
    };
    return {
      subscription: graphql`
        subscription useChangeRequestUpdatesSubscription($id: ID!) {
          changeRequestUpdated(id: $id) {
            id
            status
            subject
            updatedAt
          }
        }
      `,
      variables: { id },
      cacheConfig: { metadata: { onGap: refresh } },
      onNext: refresh,
    };
  }, [environment, id, spaceId, number]);
  useSubscription(config);
}
