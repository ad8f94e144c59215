import { Suspense } from 'react';
import { SearchSpace } from '../views/search/search-space.tsx';
import { Link } from './router.tsx';

/** The bar at the top, with the search of the space that is open. */
export const Header = ({ spaceId }: { spaceId: string | undefined }) => (
  <header className="bar">
    <Link to="/" className="brand">
      Stemma
    </Link>
    {spaceId !== undefined && (
      <Suspense fallback={null}>
        <SearchSpace key={spaceId} spaceId={spaceId} />
      </Suspense>
    )}
    <nav aria-label="Application">
      <a href="/graphql">GraphiQL</a>
      <a href="/account">Account</a>
    </nav>
  </header>
);
