import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RelayEnvironmentProvider } from 'react-relay';
import { App } from './app/app.tsx';
import { RouterProvider } from './app/router.tsx';
import { environment } from './relay/environment.ts';
import './styles/base.css';
import './styles/controls.css';
import './styles/layout.css';
import './styles/document.css';
import './styles/views.css';

const root = document.getElementById('app:root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <RelayEnvironmentProvider environment={environment}>
        <RouterProvider>
          <App />
        </RouterProvider>
      </RelayEnvironmentProvider>
    </StrictMode>,
  );
}
