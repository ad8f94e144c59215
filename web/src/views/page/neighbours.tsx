import { graphql, useFragment } from 'react-relay';
import type { neighbours_page$key } from '../../__generated__/neighbours_page.graphql.ts';
import { Link } from '../../app/router.tsx';

/** Links to the pages before and after one, in reading order. */
export function Neighbours({ page }: { page: neighbours_page$key }) {
  const { previousPage: previous, nextPage: next } = useFragment(
    graphql`
      fragment neighbours_page on PageNode {
        previousPage { title urls { app } }
        nextPage { title urls { app } }
      }
    `,
    page,
  );
  if (!previous && !next) return null;
  return (
    <nav className="neighbours" aria-label="Previous and next page">
      {previous && (
        <Link to={previous.urls.app} rel="prev">
          <span className="muted">Previous</span>
          {previous.title}
        </Link>
      )}
      {next && (
        <Link to={next.urls.app} rel="next" className="next">
          <span className="muted">Next</span>
          {next.title}
        </Link>
      )}
    </nav>
  );
}
