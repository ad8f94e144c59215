import { StrictMode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { graphql, RelayEnvironmentProvider, useLazyLoadQuery } from 'react-relay';
import type { mainQuery } from './__generated__/mainQuery.graphql.ts';
import { environment } from './environment.ts';
import './main.css';

function Viewer() {
  const { viewer } = useLazyLoadQuery<mainQuery>(
    graphql`
      query mainQuery {
        viewer {
          displayName
        }
      }
    `,
    {},
  );
  return <h1>{viewer?.displayName ?? 'Sign in'}</h1>;
}

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <RelayEnvironmentProvider environment={environment}>
        <Suspense fallback={<p>Loading…</p>}>
          <Viewer />
        </Suspense>
      </RelayEnvironmentProvider>
    </StrictMode>,
  );
}
