import { useMemo } from 'react';
import { graphql, useRelayEnvironment, useSubscription } from 'react-relay';
import type { GraphQLSubscriptionConfig } from 'relay-runtime';
import type { spaceLayoutQuery } from '../../__generated__/spaceLayoutQuery.graphql.ts';
import spaceLayoutDocument from '../../__generated__/spaceLayoutQuery.graphql.ts';
import type { useSpaceUpdatesSubscription } from '../../__generated__/useSpaceUpdatesSubscription.graphql.ts';
import { refresh } from '../../relay/refresh.ts';

/** Events have the id of the space whose content has changed as their type. */
const changes = new EventTarget();

/** Calls back when the content of a space may have changed. Returns a function that ends it. */
export function onContentChange(spaceId: string, listener: () => void): () => void {
  changes.addEventListener(spaceId, listener);
  return () => changes.removeEventListener(spaceId, listener);
}

/** Keeps a space up to date while it is open: what is shown of its settings, its tree, and its current page. */
export function useSpaceUpdates(spaceId: string): void {
  const environment = useRelayEnvironment();
  const config = useMemo((): GraphQLSubscriptionConfig<useSpaceUpdatesSubscription> => {
    const readAgain = () => {
      refresh<spaceLayoutQuery>(environment, spaceLayoutDocument, { spaceId });
      changes.dispatchEvent(new Event(spaceId));
    };
    return {
      subscription: graphql`
        subscription useSpaceUpdatesSubscription($spaceId: ID!) {
          spaceUpdated(id: $spaceId) { id title emoji updatedAt openChangeRequestsCount }
        }
      `,
      variables: { spaceId },
      cacheConfig: { metadata: { onGap: readAgain } },
      onNext: readAgain,
    };
  }, [environment, spaceId]);
  useSubscription(config);
}
