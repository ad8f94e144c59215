import { renderGraphiQL } from '@graphql-yoga/render-graphiql';
import { MARKUP, SCRIPT, STYLE } from './graphiql-session.ts';
import { ICON } from './layout.ts';

/** The query that GraphiQL opens with. */
const DEFAULT_QUERY = `# Welcome to Stemma's graph. Press the triangle, or Ctrl-Enter, to run this.
# The book on the left describes every type and field.
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

const DRAW = 'YogaGraphiQL.renderYogaGraphiQL(';

/**
 * The page that people explore the graph with: Yoga's GraphiQL, which asks no other host, with a prompt for the token in
 * front of it. Throws when Yoga's page has changed, so that the prompt cannot get lost.
 */
export function graphiqlPage(endpoint: string): string {
  const page = renderGraphiQL({
    title: 'Stemma: GraphiQL',
    favicon: ICON,
    endpoint,
    defaultQuery: DEFAULT_QUERY,
    // The token is kept for the session, and nothing of "Headers" for longer.
    shouldPersistHeaders: false,
  });
  return [
    ['</title>', '</title><meta name="viewport" content="width=device-width, initial-scale=1">'],
    ['<div id="root"></div>', `<style>${STYLE}</style>${MARKUP}<div id="root"></div>`],
    [DRAW, `${SCRIPT}${DRAW}`],
  ].reduce((html, [place = '', text = '']) => replaceOnly(html, place, text), page);
}

function replaceOnly(html: string, place: string, text: string): string {
  const parts = html.split(place);
  if (parts.length !== 2) throw new Error(`GraphiQL's page has ${parts.length - 1} times ${place}.`);
  return parts.join(text);
}
