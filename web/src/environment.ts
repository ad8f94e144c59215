import { Environment, type FetchFunction, Network, RecordSource, Store } from 'relay-runtime';

/** Sends the id of a trusted document. The session is a cookie that scripts cannot read. */
const fetchQuery: FetchFunction = async ({ id }, variables) => {
  const response = await fetch('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json' },
    body: JSON.stringify({ documentId: id, variables }),
  });
  return response.json();
};

export const environment = new Environment({
  network: Network.create(fetchQuery),
  store: new Store(new RecordSource()),
});
