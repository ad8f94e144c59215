/*
 * Every address of the application, below `/app`. The service answers all others with 404, and its `urls.app` lead to those of
 * resources. Nothing here needs a browser or the service.
 */

/** A kind of resource with an address (`urls.app`). */
export interface ResourceKind {
  /** With `:name` for parameters, which `PARAMETERS` describes. */
  path: string;
  /** Name of the kind, as a heading. */
  title: string;
  /** The URL of the resource in REST, and a graph query that reads it. Both contain the parameters of the path. */
  restPath: string;
  query: string;
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
  {
    path: '/orgs/:organizationId',
    title: 'Organization',
    restPath: '/v1/orgs/:organizationId',
    query: `query Organization {
  organization(id: ":organizationId") {
    title
    spaces(first: 20) { nodes { id title } }
    collections(first: 20) { nodes { id title } }
  }
}`,
  },
  {
    path: '/orgs/:organizationId/sites/:siteId',
    title: 'Site',
    restPath: '/v1/orgs/:organizationId/sites/:siteId',
    query: `query Site {
  node(id: ":siteId") {
    ... on Site { title visibility urls { published } }
  }
}`,
  },
  {
    path: '/orgs/:organizationId/openapi/:slug',
    title: 'OpenAPI specification',
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
  {
    path: '/orgs/:organizationId/conversations-clusters/:clusterId',
    title: 'Cluster of issues',
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
  {
    path: '/collections/:collectionId',
    title: 'Collection',
    restPath: '/v1/collections/:collectionId',
    query: `query Collection {
  collection(id: ":collectionId") {
    title
    description
    spaces(first: 20) { nodes { id title } }
  }
}`,
  },
  {
    path: '/spaces/:spaceId',
    title: 'Space',
    restPath: '/v1/spaces/:spaceId',
    query: `query Space {
  space(id: ":spaceId") {
    title
    revision { pages { ... on PageNode { pageId title path } } }
  }
}`,
  },
  {
    path: '/spaces/:spaceId/pages/:pageId',
    title: 'Page',
    restPath: '/v1/spaces/:spaceId/content/page/:pageId',
    query: `query Page {
  space(id: ":spaceId") {
    title
    revision {
      page(pageId: ":pageId") {
        ... on PageNode { title path }
        ... on DocumentPage { markdown }
      }
    }
  }
}`,
  },
  {
    path: '/spaces/:spaceId/change-requests/:number',
    title: 'Change request',
    restPath: '/v1/spaces/:spaceId/change-requests/:number',
    query: `# Find the change request with the number :number.
query ChangeRequests {
  space(id: ":spaceId") {
    title
    changeRequests(first: 50) { nodes { id number subject status } }
  }
}`,
  },
  {
    path: '/spaces/:spaceId/revisions/:revisionId',
    title: 'Revision',
    restPath: '/v1/spaces/:spaceId/revisions/:revisionId',
    query: `query Revision {
  node(id: ":revisionId") {
    ... on Revision { type createdAt pages { ... on PageNode { pageId title path } } }
  }
}`,
  },
];

/** A kind of resource without `urls.app`. */
export const TRANSLATION: ResourceKind = {
  path: '/orgs/:organizationId/translations/:translationId',
  title: 'Translation',
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
};

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
  for (const kind of [...RESOURCE_KINDS, TRANSLATION]) {
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
  const found: Record<string, string> = {};
  for (const [index, name] of expected.entries()) {
    const part = parts[index] ?? '';
    if (!name.startsWith(':')) {
      if (name !== part) return undefined;
      continue;
    }
    if (!PARAMETERS[name.slice(1)]?.test(part)) return undefined;
    found[name.slice(1)] = part;
  }
  return found;
}
