import { type ReactNode, Suspense, useCallback, useState } from 'react';
import { graphql, useLazyLoadQuery } from 'react-relay';
import type { spaceLayoutQuery } from '../../__generated__/spaceLayoutQuery.graphql.ts';
import { ErrorBoundary, ensure } from '../../app/error-boundary.tsx';
import { Loading } from '../../app/loading.tsx';
import { Link, pathOf } from '../../app/router.tsx';
import { spaceTitle } from '../organization/space-title.ts';
import { Sidebar } from './sidebar.tsx';
import { useSpaceUpdates } from './use-space-updates.ts';

interface Props {
  spaceId: string;
  path: string;
  children: ReactNode;
}

/** The frame of a space: its title, its parts and its pages beside the view that is open. */
export default function SpaceLayout({ spaceId, path, children }: Props) {
  const [isOpen, setOpen] = useState(false);
  const data = useLazyLoadQuery<spaceLayoutQuery>(
    graphql`
      query spaceLayoutQuery($spaceId: ID!) {
        space(id: $spaceId) {
          id title emoji openChangeRequestsCount
          organization { title urls { app } }
          urls { app }
          ...sidebar_space
        }
      }
    `,
    { spaceId },
    { fetchPolicy: 'store-and-network' },
  );
  const space = ensure(data.space, 'space');
  useSpaceUpdates(space.id);
  const close = useCallback(() => setOpen(false), []);

  const base = pathOf(space.urls.app);
  const parts = [
    { to: base, title: 'Pages', isCurrent: path === base || path.startsWith(`${base}/pages`) },
    { to: `${base}/history`, title: 'History', isCurrent: /\/(?:history|revisions)/.test(path) },
    {
      to: `${base}/change-requests`,
      title: `Change requests (${space.openChangeRequestsCount})`,
      isCurrent: path.includes('/change-requests'),
    },
  ];
  return (
    <div className="space">
      <nav className="space-bar" aria-label="Space">
        <button
          type="button"
          className="button menu"
          aria-expanded={isOpen}
          aria-controls="app:sidebar"
          onClick={() => setOpen(!isOpen)}
        >
          Contents
        </button>
        <p className="crumbs">
          {space.organization && <Link to={space.organization.urls.app}>{space.organization.title}</Link>}
          <strong>{spaceTitle(space)}</strong>
        </p>
        <ul>
          {parts.map(({ to, title, isCurrent }) => (
            <li key={to}>
              <Link to={to} aria-current={isCurrent ? 'page' : undefined}>
                {title}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <nav id="app:sidebar" className={isOpen ? 'sidebar open' : 'sidebar'} aria-label="Pages of the space">
        <Sidebar space={space} path={path} onFollow={close} />
      </nav>
      <main id="app:main">
        <ErrorBoundary resetKey={path}>
          <Suspense fallback={<Loading />}>{children}</Suspense>
        </ErrorBoundary>
      </main>
    </div>
  );
}
