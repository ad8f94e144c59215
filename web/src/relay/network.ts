import {
  type FetchFunction,
  type GraphQLResponse,
  Network,
  Observable,
  type RequestParameters,
  type Variables,
} from 'relay-runtime';
import { ConnectionError, errorOf, GraphError } from './errors.ts';
import { subscribe } from './subscribe.ts';

/** Asks for a trusted document by its id. The session is a cookie that scripts cannot read. */
export const requestOf = ({ id }: RequestParameters, variables: Variables, accept: string): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', accept },
  body: JSON.stringify({ documentId: id, variables }),
});

const send: FetchFunction = (request, variables) =>
  Observable.create<GraphQLResponse>((sink) => {
    const aborter = new AbortController();
    post(request, variables, aborter.signal).then(
      (result) => {
        sink.next(result);
        sink.complete();
      },
      (error: Error) => {
        if (!aborter.signal.aborted) sink.error(error);
      },
    );
    return () => aborter.abort();
  });

async function post(request: RequestParameters, variables: Variables, signal: AbortSignal): Promise<GraphQLResponse> {
  const response = await fetch('/graphql', {
    ...requestOf(request, variables, 'application/graphql-response+json'),
    signal,
  }).catch(() => {
    throw new ConnectionError();
  });
  const result = await response.json().catch(() => {
    // A proxy, or a connection that was cut.
    throw response.ok || response.status >= 500
      ? new ConnectionError()
      : new GraphError(`The service answered with ${response.status}.`, 'INTERNAL_SERVER_ERROR');
  });
  const error = errorOf(result);
  if (error) throw error;
  return result;
}

export const network = Network.create(send, subscribe);
