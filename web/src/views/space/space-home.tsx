import { useEffect } from 'react';
import { graphql, useLazyLoadQuery } from 'react-relay';
import type { spaceHomeQuery } from '../../__generated__/spaceHomeQuery.graphql.ts';
import { ensure } from '../../app/error-boundary.tsx';
import { useRouter } from '../../app/router.tsx';
import { Title } from '../../app/title.tsx';

/** Opens the first page of a space. */
export default function SpaceHome({ spaceId }: { spaceId: string }) {
  const { navigate } = useRouter();
  const data = useLazyLoadQuery<spaceHomeQuery>(
    graphql`
      query spaceHomeQuery($spaceId: ID!) {
        space(id: $spaceId) {
          title
          allPages(first: 1, kinds: [DOCUMENT]) {
            nodes { urls { app } }
          }
        }
      }
    `,
    { spaceId },
    { fetchPolicy: 'network-only' },
  );
  const space = ensure(data.space, 'space');
  const to = space.allPages.nodes[0]?.urls.app;
  useEffect(() => {
    if (to !== undefined) navigate(to, { replace: true });
  }, [to, navigate]);
  if (to !== undefined) return null;
  return (
    <div className="narrow">
      <Title text={space.title || 'Untitled'} />
      <p className="muted">This space has no pages yet.</p>
    </div>
  );
}
