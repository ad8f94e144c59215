import { renderGraphiQL } from '@graphql-yoga/render-graphiql';
import { GRAPHQL_PATH } from './yoga.ts';

/** What GraphiQL opens with: without a token even the schema cannot be read. */
const DEFAULT_QUERY = `# Stemma's graph. Give your token under "Headers" below:
#   { "Authorization": "Bearer stemma_…" }
# then press "Re-fetch GraphQL schema" (the arrows at the lower left) and run this.
# Every type and field is described in the Docs on the left.
query Welcome {
  apiInformation {
    version
  }
  viewer {
    displayName
    organizations(first: 5) {
      nodes {
        title
        spaces(first: 10) {
          totalCount
          nodes {
            id
            title
            revision {
              pages {
                ... on DocumentPage { title path pages { ... on DocumentPage { title path } } }
                ... on GroupPage { title pages { ... on DocumentPage { title path } } }
              }
            }
          }
        }
      }
    }
  }
}
`;

/** The page that people explore the graph with. */
export const graphiqlPage = () =>
  renderGraphiQL({
    title: 'Stemma',
    endpoint: GRAPHQL_PATH,
    defaultQuery: DEFAULT_QUERY,
    // A reload keeps the token, in this browser alone.
    shouldPersistHeaders: true,
  });
