import manifest from '../package.json' with { type: 'json' };
import { describePermission } from './domain/people/access/index.ts';
import examples from './openapi-examples.json' with { type: 'json' };
import { type Examples, openApiDocument } from './platform/http/openapi/document.ts';
import type { Json } from './platform/http/openapi/json.ts';
import type { Route } from './platform/http/route.ts';
import { rooms } from './routes.ts';

/** The description of REST as this service publishes it. */
export const describeApi = ({ publicUrl }: { publicUrl: string }, options?: { isClosed?: boolean }): Json =>
  openApiDocument(
    {
      title: 'Stemma',
      version: manifest.version,
      description: DESCRIPTION,
      license: { name: 'Apache 2.0', identifier: manifest.license },
      publicUrl,
      rooms,
      accessOf,
      examples: examples as Examples, // a test checks it
    },
    options,
  );

const DESCRIPTION = `The REST layer of a documentation service: organizations, spaces and their content. The graph at \
\`/graphql\` offers the same operations.

Send a personal access token as \`Authorization: Bearer stemma_…\`. Every list is paged by \`page\` and \`limit\`. \
Times are UTC; ids are the same in the graph. What is hidden from you is answered as what does not exist. Answers may \
get more members than are described here.`;

/** What is no operation is reached by signed addresses, which are the permission. */
const accessOf = ({ operation }: Route) => (operation ? describePermission(operation.operationName) : { isOpen: true });
