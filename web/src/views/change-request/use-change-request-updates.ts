import { useCallback, useMemo } from 'react';
import { graphql, useRelayEnvironment, useSubscription } from 'react-relay';
import { ConnectionHandler, type GraphQLSubscriptionConfig } from 'relay-runtime';
import type { changeRequestQuery } from '../../__generated__/changeRequestQuery.graphql.ts';
import changeRequestDocument from '../../__generated__/changeRequestQuery.graphql.ts';
import type { useChangeRequestUpdatesQuery } from '../../__generated__/useChangeRequestUpdatesQuery.graphql.ts';
import type { useChangeRequestUpdatesSubscription } from '../../__generated__/useChangeRequestUpdatesSubscription.graphql.ts';
import { refresh } from '../../relay/refresh.ts';
import { applyCommentChange } from '../comments/apply-comment-change.ts';

/** As `comments` of `ChangeRequest` is ordered in the view. */
const ORDER = { orderBy: { field: 'POSTED_AT', direction: 'ASC' } };

/** How many entries of its lists a view shows. */
export interface Shown {
  changes: number;
  comments: number;
}

/** The limit of the graph. */
const MOST_AT_ONCE = 100;

const CONTENT = graphql`
  query useChangeRequestUpdatesQuery($spaceId: ID!, $number: Int!, $changes: Int!) {
    space(id: $spaceId) {
      changeRequest(number: $number) {
        id version
        ...mergeability_changeRequest
        ...changeRequestChanges_changeRequest @arguments(count: $changes)
      }
    }
  }
`;

/**
 * Keeps a change request up to date while it is open. Comments and the status come with each event. What it changes and
 * whether it can be merged is read again, with as many changes as are shown. Returns the function that does so.
 */
export function useChangeRequestUpdates(
  id: string,
  { spaceId, number }: Pick<changeRequestQuery['variables'], 'spaceId' | 'number'>,
  shown: { readonly current: Shown },
): () => void {
  const environment = useRelayEnvironment();
  const readContent = useCallback(() => {
    const changes = Math.min(shown.current.changes, MOST_AT_ONCE);
    refresh<useChangeRequestUpdatesQuery>(environment, CONTENT, { spaceId, number, changes });
  }, [environment, spaceId, number, shown]);
  const config = useMemo((): GraphQLSubscriptionConfig<useChangeRequestUpdatesSubscription> => {
    const readAll = () => {
      const changes = Math.min(shown.current.changes, MOST_AT_ONCE);
      const comments = Math.min(shown.current.comments, MOST_AT_ONCE);
      refresh<changeRequestQuery>(environment, changeRequestDocument, { spaceId, number, changes, comments });
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
      cacheConfig: { metadata: { onGap: readAll } },
      updater: (store) => {
        const change = store.getRootField('changeRequestChanged');
        const listId = ConnectionHandler.getConnectionID(id, 'changeRequestComments_comments', ORDER);
        if (change) applyCommentChange(store, change, listId);
      },
      onNext: (response) => {
        if (!response?.changeRequestChanged.kind.startsWith('COMMENT')) readContent();
      },
    };
  }, [environment, id, spaceId, number, shown, readContent]);
  useSubscription(config);
  return readContent;
}
