import {
  type FetchFunction,
  type GraphQLResponse,
  Network,
  Observable,
  type RequestParameters,
  type Variables,
} from 'relay-runtime';
import { ConnectionError, errorOf, GraphError } from './errors.ts';
import { requestOf } from './request.ts';
import { subscribe } from './subscribe.ts';

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
