import { type ComponentType, lazy } from 'react';
import OrganizationView from './organization/organization.tsx';
import Organizations from './organizations/organizations.tsx';
import PageView from './page/page.tsx';
import SignInView from './sign-in/sign-in.tsx';
import SpaceHomeView from './space/space-home.tsx';
import SpaceLayout from './space/space-layout.tsx';

type View = ComponentType<Readonly<Record<string, string>>>;

export { Organizations, SpaceLayout };

/**
 * The view of each address (`addresses.ts`). Readers begin with one of the first; the others are loaded when they are
 * opened. A view gets the parameters of its address as props.
 */
const VIEWS = {
  '/': Organizations,
  '/sign-in': SignInView,
  '/orgs/:organizationId': OrganizationView,
  '/spaces/:spaceId': SpaceHomeView,
  '/spaces/:spaceId/pages/:pageId': PageView,
  '/spaces/:spaceId/history': lazy(() => import('./history/history.tsx')),
  '/spaces/:spaceId/revisions/:revisionId': lazy(() => import('./history/revision.tsx')),
  '/spaces/:spaceId/change-requests': lazy(() => import('./change-requests/change-requests.tsx')),
  '/spaces/:spaceId/change-requests/:number': lazy(() => import('./change-request/change-request.tsx')),
  '/spaces/:spaceId/change-requests/:number/conflicts': lazy(() => import('./conflicts/conflicts.tsx')),
  '/spaces/:spaceId/change-requests/:number/pages': lazy(() => import('./editor/editor-pages.tsx')),
  '/spaces/:spaceId/change-requests/:number/pages/:pageId': lazy(() => import('./editor/editor.tsx')),
  '/collections/:collectionId': lazy(() => import('./resources/collection.tsx')),
  '/orgs/:organizationId/sites/:siteId': lazy(() => import('./resources/site.tsx')),
  '/orgs/:organizationId/openapi/:slug': lazy(() => import('./resources/specification.tsx')),
  '/orgs/:organizationId/translations/:translationId': lazy(() => import('./resources/translation.tsx')),
  '/orgs/:organizationId/conversations-clusters/:clusterId': lazy(() => import('./resources/cluster.tsx')),
} as unknown as Readonly<Record<string, View | undefined>>; // each view names the parameters of its address

export const viewAt = (path: string): View | undefined => VIEWS[path];
