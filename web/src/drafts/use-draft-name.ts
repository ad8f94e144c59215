import { graphql, useLazyLoadQuery } from 'react-relay';
import type { useDraftNameQuery } from '../__generated__/useDraftNameQuery.graphql.ts';

/**
 * The name of a draft of the viewer. Several people may use one browser, and what one of them has written must not be
 * sent as the next one's. Only for parts that are for people who are signed in.
 */
export function useDraftName(name: string): string {
  const { viewer } = useLazyLoadQuery<useDraftNameQuery>(
    graphql`
      query useDraftNameQuery { viewer { id } }
    `,
    {},
    { fetchPolicy: 'store-or-network' },
  );
  return `${viewer?.id}:${name}`;
}
