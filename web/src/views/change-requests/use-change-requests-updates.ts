import { useMemo } from 'react';
import { graphql, useRelayEnvironment, useSubscription } from 'react-relay';
import type { GraphQLSubscriptionConfig } from 'relay-runtime';
import type { changeRequestsQuery } from '../../__generated__/changeRequestsQuery.graphql.ts';
import changeRequestsDocument from '../../__generated__/changeRequestsQuery.graphql.ts';
import type { useChangeRequestsUpdatesSubscription } from '../../__generated__/useChangeRequestsUpdatesSubscription.graphql.ts';
import { refresh } from '../../relay/refresh.ts';

export const STATUSES = ['OPEN', 'DRAFT', 'MERGED', 'ARCHIVED', 'ALL'] as const;
export type Status = (typeof STATUSES)[number];

/** Keeps the list of change requests up to date. Which of them it has depends on their status, so that it is read again. */
export function useChangeRequestsUpdates(spaceId: string, status: Status): void {
  const environment = useRelayEnvironment();
  const config = useMemo((): GraphQLSubscriptionConfig<useChangeRequestsUpdatesSubscription> => {
    const readAgain = () => {
      refresh<changeRequestsQuery>(environment, changeRequestsDocument, { spaceId, status });
    };
    return {
      subscription: graphql`
        subscription useChangeRequestsUpdatesSubscription($spaceId: ID!) {
          changeRequestChanged(spaceId: $spaceId) {
            kind
            changeRequest { id status subject updatedAt }
          }
        }
      `,
      variables: { spaceId },
      cacheConfig: { metadata: { onGap: readAgain } },
      onNext: (response) => {
        if (!response?.changeRequestChanged.kind.startsWith('COMMENT')) readAgain();
      },
    };
  }, [environment, spaceId, status]);
  useSubscription(config);
}
