import type { AppPage } from './platform/http/app-pages.ts';

/**
 * The pages at `urls.app`. There is no web application yet, so each page shows how to read the resource through the two
 * APIs. A test compares the paths with the URLs in responses.
 */
export const appPages: AppPage[] = [
  {
    path: '/orgs/:organizationId',
    ids: { organizationId: 'org' },
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
    ids: { organizationId: 'org', siteId: 'site' },
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
    ids: { organizationId: 'org', slug: 'slug' },
    title: 'OpenAPI specification',
    restPath: '/v1/orgs/:organizationId/openapi/:slug',
    query: `query Specification {
  organization(id: ":organizationId") {
    openApiSpec(slug: ":slug") { slug visibility latestVersion { id } }
  }
}`,
  },
  {
    path: '/orgs/:organizationId/conversations-clusters/:clusterId',
    ids: { organizationId: 'org', clusterId: 'cluster' },
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
    ids: { collectionId: 'collection' },
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
    ids: { spaceId: 'space' },
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
    ids: { spaceId: 'space', pageId: 'page' },
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
    ids: { spaceId: 'space', number: 'number' },
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
    ids: { spaceId: 'space', revisionId: 'rev' },
    title: 'Revision',
    restPath: '/v1/spaces/:spaceId/revisions/:revisionId',
    query: `query Revision {
  node(id: ":revisionId") {
    ... on Revision { type createdAt pages { ... on PageNode { pageId title path } } }
  }
}`,
  },
];
