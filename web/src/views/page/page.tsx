import { useEffect } from 'react';
import { graphql, useLazyLoadQuery, useRelayEnvironment } from 'react-relay';
import type { pageQuery } from '../../__generated__/pageQuery.graphql.ts';
import pageDocument from '../../__generated__/pageQuery.graphql.ts';
import { ensure } from '../../app/error-boundary.tsx';
import { refresh } from '../../relay/refresh.ts';
import { onContentChange } from '../space/use-space-updates.ts';
import { PageContent } from './page-content.tsx';

/** A page of the current content of a space. */
export default function Page({ spaceId, pageId }: { spaceId: string; pageId: string }) {
  const environment = useRelayEnvironment();
  const { space } = useLazyLoadQuery<pageQuery>(
    graphql`
      query pageQuery($spaceId: ID!, $pageId: ID!) {
        space(id: $spaceId) {
          id
          ...pageContent_space
          page(pageId: $pageId) { ...pageContent_page }
        }
      }
    `,
    { spaceId, pageId },
    { fetchPolicy: 'store-and-network' },
  );
  useEffect(
    () => onContentChange(spaceId, () => refresh<pageQuery>(environment, pageDocument, { spaceId, pageId })),
    [environment, spaceId, pageId],
  );
  return <PageContent key={pageId} space={ensure(space, 'space')} page={ensure(space?.page, 'page')} />;
}
