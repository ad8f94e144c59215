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
 * The GraphiQL page: Yoga's page, which requests nothing from other hosts, with a prompt for the token. Throws if
 * Yoga's page has changed, so that the prompt cannot be lost unnoticed.
 */
export function graphiqlPage(endpoint: string): string {
  const page = renderGraphiQL({
    title: 'Stemma: GraphiQL',
    favicon: ICON,
    endpoint,
    defaultQuery: DEFAULT_QUERY,
    // The token is kept for the session, and "Headers" no longer than that.
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
  if (parts.length !== 2) throw new Error(`GraphiQL's page contains ${place} ${parts.length - 1} times.`);
  return parts.join(text);
}
