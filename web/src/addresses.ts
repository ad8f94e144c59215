/*
 * Every address of the application, below `/app`. The service answers all others with 404, and its `urls.app` lead to
 * those of resources. Nothing here needs a browser or the service.
 */

/** A kind of resource with an address (`urls.app`). */
export interface ResourceKind {
  /** With `:name` for parameters, which `PARAMETERS` describes. */
  path: string;
  /** Name of the kind, as a heading. */
  title: string;
  /**
   * Of kinds without a view of their own: how to read the resource through the two APIs, with the parameters of the
   * path.
   */
  apis?: { restPath: string; query: string };
}

/** An address that was recognized. */
export interface Place {
  /** Of a kind of resource, or of `VIEWS`. */
  path: string;
  parameters: Readonly<Record<string, string>>;
  /** Undefined for views that are not of one resource. */
  kind: ResourceKind | undefined;
}

export const RESOURCE_KINDS: readonly ResourceKind[] = [
  { path: '/orgs/:organizationId', title: 'Organization' },
  { path: '/spaces/:spaceId', title: 'Space' },
  { path: '/spaces/:spaceId/pages/:pageId', title: 'Page' },
  { path: '/spaces/:spaceId/change-requests/:number', title: 'Change request' },
  { path: '/spaces/:spaceId/revisions/:revisionId', title: 'Revision' },
  {
    path: '/orgs/:organizationId/sites/:siteId',
    title: 'Site',
    apis: {
      restPath: '/v1/orgs/:organizationId/sites/:siteId',
      query: `query Site {
  node(id: ":siteId") {
    ... on Site { title visibility urls { published } }
  }
}`,
    },
  },
  {
    path: '/orgs/:organizationId/openapi/:slug',
    title: 'OpenAPI specification',
    apis: {
      restPath: '/v1/orgs/:organizationId/openapi/:slug',
      query: `query Specification {
  organization(id: ":organizationId") {
    openApiSpec(slug: ":slug") {
      visibility
      latestVersion { title operationsCount }
    }
  }
}`,
    },
  },
  {
    path: '/orgs/:organizationId/conversations-clusters/:clusterId',
    title: 'Cluster of issues',
    apis: {
      restPath: '/v1/orgs/:organizationId/conversations-clusters/:clusterId',
      query: `query Cluster {
  organization(id: ":organizationId") {
    issuesCluster(id: ":clusterId") {
      label
      summary
      weeklyPulse
      issues(first: 10) { nodes { title conversation { id source } } }
      pages(first: 5) { nodes { title missing } }
    }
  }
}`,
    },
  },
  {
    path: '/orgs/:organizationId/translations/:translationId',
    title: 'Translation',
    apis: {
      restPath: '/v1/orgs/:organizationId/translations/:translationId',
      query: `query Translation {
  organization(id: ":organizationId") {
    translation(id: ":translationId") {
      status
      language
      progress { pagesDone pagesTotal }
    }
  }
}`,
    },
  },
  {
    path: '/collections/:collectionId',
    title: 'Collection',
    apis: {
      restPath: '/v1/collections/:collectionId',
      query: `query Collection {
  collection(id: ":collectionId") {
    title
    description
    spaces(first: 20) { nodes { id title } }
  }
}`,
    },
  },
];

/** Addresses of the application that are not those of a resource. */
export const VIEWS: readonly string[] = [
  '/',
  '/sign-in',
  '/spaces/:spaceId/history',
  '/spaces/:spaceId/change-requests',
  '/spaces/:spaceId/change-requests/:number/conflicts',
  '/spaces/:spaceId/change-requests/:number/pages',
  '/spaces/:spaceId/change-requests/:number/pages/:pageId',
];

const id = (prefix: string) => new RegExp(`^${prefix}_[0-9a-hjkmnp-tv-z]{26}$`);

/** What the parameters of paths can be. */
const PARAMETERS: Readonly<Record<string, RegExp>> = {
  organizationId: id('org'),
  siteId: id('site'),
  translationId: id('translation'),
  clusterId: id('cluster'),
  collectionId: id('collection'),
  spaceId: id('space'),
  pageId: id('page'),
  revisionId: id('rev'),
  number: /^[1-9][0-9]{0,8}$/,
  slug: /^[a-z0-9][a-z0-9-]{0,99}$/,
};

/** Recognizes a path below `/app`, such as `/spaces/space_…`. Undefined if the application has no such address. */
export function placeAt(path: string): Place | undefined {
  const parts = partsOf(path);
  for (const kind of RESOURCE_KINDS) {
    const parameters = parametersOf(kind.path, parts);
    if (parameters) return { path: kind.path, parameters, kind };
  }
  for (const view of VIEWS) {
    const parameters = parametersOf(view, parts);
    if (parameters) return { path: view, parameters, kind: undefined };
  }
  return undefined;
}

/** A text in which `:name` stands for parameters, with their values. */
export const filled = (text: string, parameters: Readonly<Record<string, string>>): string =>
  Object.entries(parameters).reduce((done, [name, value]) => done.replaceAll(`:${name}`, value), text);

/** A trailing slash makes no difference. */
const partsOf = (path: string) => path.replace(/\/$/, '').split('/');

function parametersOf(pattern: string, parts: readonly string[]): Record<string, string> | undefined {
  const expected = partsOf(pattern);
  if (expected.length !== parts.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, name] of expected.entries()) {
    const part = parts[index] ?? '';
    if (!name.startsWith(':')) {
      if (name !== part) return undefined;
      continue;
    }
    if (!PARAMETERS[name.slice(1)]?.test(part)) return undefined;
    parameters[name.slice(1)] = part;
  }
  return parameters;
}
