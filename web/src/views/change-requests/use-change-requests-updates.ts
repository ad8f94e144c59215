import { useMemo } from 'react';
import { graphql, useRelayEnvironment, useSubscription } from 'react-relay';
import type { GraphQLSubscriptionConfig } from 'relay-runtime';
import type { changeRequestsQuery } from '../../__generated__/changeRequestsQuery.graphql.ts';
import changeRequestsDocument from '../../__generated__/changeRequestsQuery.graphql.ts';
import type { useChangeRequestsUpdatesSubscription } from '../../__generated__/useChangeRequestsUpdatesSubscription.graphql.ts';
import { refresh } from '../../relay/refresh.ts';

export const STATUSES = ['OPEN', 'DRAFT', 'MERGED', 'ARCHIVED', 'ALL'] as const;
export type Status = (typeof STATUSES)[number];

/** The limit of the graph. */
const MOST_AT_ONCE = 100;

/**
 * Keeps the list of change requests up to date. Which of them it has depends on their status, so that it is read again,
 * with as many as are shown.
 */
export function useChangeRequestsUpdates(
  spaceId: string,
  status: Status,
  shownCount: { readonly current: number },
): void {
  const environment = useRelayEnvironment();
  const config = useMemo((): GraphQLSubscriptionConfig<useChangeRequestsUpdatesSubscription> => {
    const readAgain = () => {
      const count = Math.min(shownCount.current, MOST_AT_ONCE);
      refresh<changeRequestsQuery>(environment, changeRequestsDocument, { spaceId, status, count });
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
  }, [environment, spaceId, status, shownCount]);
  useSubscription(config);
}
