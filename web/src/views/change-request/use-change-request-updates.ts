import { useMemo } from 'react';
import { graphql, useRelayEnvironment, useSubscription } from 'react-relay';
import { ConnectionHandler, type GraphQLSubscriptionConfig } from 'relay-runtime';
import type { changeRequestQuery } from '../../__generated__/changeRequestQuery.graphql.ts';
import changeRequestDocument from '../../__generated__/changeRequestQuery.graphql.ts';
import type { useChangeRequestUpdatesSubscription } from '../../__generated__/useChangeRequestUpdatesSubscription.graphql.ts';
import { refresh } from '../../relay/refresh.ts';
import { applyCommentChange } from '../comments/apply-comment-change.ts';

/** As `comments` of `ChangeRequest` is ordered in the view. */
const ORDER = { orderBy: { field: 'POSTED_AT', direction: 'ASC' } };

/**
 * Keeps a change request up to date while it is open. Comments and the status come with each event. What it changes and whether it
 * can be merged is read again.
 */
export function useChangeRequestUpdates(id: string, variables: changeRequestQuery['variables']): void {
  const environment = useRelayEnvironment();
  const { spaceId, number } = variables;
  const config = useMemo((): GraphQLSubscriptionConfig<useChangeRequestUpdatesSubscription> => {
    const readAgain = () => {
      refresh<changeRequestQuery>(environment, changeRequestDocument, { spaceId, number });
    };
    return {
      subscription: graphql`
        subscription useChangeRequestUpdatesSubscription($id: ID!) {
          changeRequestChanged(changeRequestId: $id) {
            kind deletedId changeRequest { id status subject } comment { id ...comment_comment }
            commentReply { id ...reply_reply }
          }
        }
      `,
      variables: { id },
      cacheConfig: { metadata: { onGap: readAgain } },
      updater: (store) => {
        const change = store.getRootField('changeRequestChanged');
        const listId = ConnectionHandler.getConnectionID(id, 'changeRequestComments_comments', ORDER);
        if (change) applyCommentChange(store, change, listId);
      },
      onNext: (response) => {
        if (!response?.changeRequestChanged.kind.startsWith('COMMENT')) readAgain();
      },
    };
  }, [environment, id, spaceId, number]);
  useSubscription(config);
}
