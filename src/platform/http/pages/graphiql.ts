import { renderGraphiQL } from '@graphql-yoga/render-graphiql';
import { Kind, parse } from 'graphql';
import { MARKUP, SCRIPT, SESSION_STYLE } from './graphiql-session.ts';
import { ICON } from './layout.ts';

const DRAW = 'YogaGraphiQL.renderYogaGraphiQL(';

/**
 * The GraphiQL page: Yoga's page, which requests nothing from other hosts, with a prompt for the token. It opens with
 * the documents as tabs. Throws if Yoga's page has changed, so that the prompt cannot be lost unnoticed.
 */
export function graphiqlPage(documents: readonly string[]): string {
  const page = renderGraphiQL({
    title: 'Stemma: GraphiQL',
    favicon: ICON,
    defaultTabs: documents.map((query) => ({ query, variables: variablesOf(query) })),
    // The token is kept for the session, and "Headers" no longer than that.
    shouldPersistHeaders: false,
  });
  return [
    ['</title>', '</title><meta name="viewport" content="width=device-width, initial-scale=1">'],
    ['<div id="root"></div>', `<style>${SESSION_STYLE}</style>${MARKUP}<div id="root"></div>`],
    [DRAW, `${SCRIPT}${DRAW}`],
  ].reduce((html, [place = '', text = '']) => replaceOnly(html, place, text), page);
}

/** The names of the variables of a document, as JSON. The page fills in the ids of what the caller can see. */
function variablesOf(document: string): string {
  const names = parse(document).definitions.flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION
      ? (definition.variableDefinitions ?? []).map(({ variable }) => variable.name.value)
      : [],
  );
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, ''])));
}

function replaceOnly(html: string, place: string, text: string): string {
  const parts = html.split(place);
  if (parts.length !== 2) throw new Error(`GraphiQL's page contains ${place} ${parts.length - 1} times.`);
  return parts.join(text);
}
