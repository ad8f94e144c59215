import { useMemo } from 'react';
import { fetchQuery, graphql, useRelayEnvironment, useSubscription } from 'react-relay';
import type { GraphQLSubscriptionConfig } from 'relay-runtime';
import type { changeRequestsQuery } from '../../__generated__/changeRequestsQuery.graphql.ts';
import changeRequestsDocument from '../../__generated__/changeRequestsQuery.graphql.ts';
import type { useChangeRequestsUpdatesSubscription } from '../../__generated__/useChangeRequestsUpdatesSubscription.graphql.ts';
import type { Status } from './statuses.ts';

/** Keeps the list of change requests up to date. Which of them it has depends on their status, so that it is read again. */
export function useChangeRequestsUpdates(spaceId: string, status: Status): void {
  const environment = useRelayEnvironment();
  const config = useMemo((): GraphQLSubscriptionConfig<useChangeRequestsUpdatesSubscription> => {
    const refresh = () => {
      fetchQuery<changeRequestsQuery>(environment, changeRequestsDocument, { spaceId, status }).subscribe({
        error: () => {},
      });
    };
    return {
      subscription: graphql`
        subscription useChangeRequestsUpdatesSubscription($spaceId: ID!) {
          changeRequestChanged(spaceId: $spaceId) {
            kind
            changeRequest {
              id
              status
              subject
              updatedAt
            }
          }
        }
      `,
      variables: { spaceId },
      cacheConfig: { metadata: { onGap: refresh } },
      onNext: (response) => {
        if (!response?.changeRequestChanged.kind.startsWith('COMMENT')) refresh();
      },
    };
  }, [environment, spaceId, status]);
  useSubscription(config);
}
