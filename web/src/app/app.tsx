import { Suspense } from 'react';
import { placeAt } from '../addresses.ts';
import { Organizations, SpaceLayout, viewAt } from '../views/index.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { Header } from './header.tsx';
import { Loading } from './loading.tsx';
import { useRouter } from './router.tsx';
import { Title } from './title.tsx';

/**
 * The view at the address of the browser. Views of a space share its frame, which stays while they change.
 * Elements have ids with a colon: others are those of headings.
 */
export function App() {
  const { location, isPending } = useRouter();
  const place = placeAt(location.path);
  const View = place && viewAt(place.path);
  const spaceId = place?.parameters.spaceId;
  const view = View ? <View {...place.parameters} /> : place ? <Organizations /> : <NoSuchAddress />;
  return (
    <>
      <a className="skip-link" href="#app:main">
        Skip to content
      </a>
      <Header spaceId={spaceId} />
      <div className={isPending ? 'progress shown' : 'progress'} role="presentation" />
      <ErrorBoundary isOutermost resetKey={spaceId ?? location.path}>
        <Suspense fallback={<Loading />}>
          {spaceId === undefined ? (
            <main id="app:main">{view}</main>
          ) : (
            <SpaceLayout key={spaceId} spaceId={spaceId} path={location.path}>
              {view}
            </SpaceLayout>
          )}
        </Suspense>
      </ErrorBoundary>
    </>
  );
}

const NoSuchAddress = () => (
  <div className="narrow">
    <Title text="Not found" />
    <p>The application has no such address.</p>
  </div>
);
