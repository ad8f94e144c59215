import { changeRequestRoutes } from './domain/change-requests/rest.ts';
import { collectionRoutes } from './domain/collections/rest.ts';
import { eventRoutes } from './domain/events/rest.ts';
import { fileRoutes } from './domain/files/rest.ts';
import { importRoutes } from './domain/imports/rest.ts';
import { jobRoutes } from './domain/jobs/rest.ts';
import { organizationRoutes } from './domain/organizations/rest.ts';
import { pageRoutes } from './domain/pages/rest.ts';
import { revisionRoutes } from './domain/revisions/rest.ts';
import { serviceRoutes } from './domain/service/rest.ts';
import { spaceRoutes } from './domain/spaces/rest.ts';
import { uploadRoutes } from './domain/uploads/rest.ts';
import { userRoutes } from './domain/users/rest.ts';
import type { Route } from './platform/http/route.ts';

/** Every address of REST. */
export const routes: Route[] = [
  ...serviceRoutes,
  ...userRoutes,
  ...organizationRoutes,
  ...collectionRoutes,
  ...spaceRoutes,
  ...changeRequestRoutes,
  ...fileRoutes,
  ...importRoutes,
  ...pageRoutes,
  ...revisionRoutes,
  ...uploadRoutes,
  ...eventRoutes,
  ...jobRoutes,
];
