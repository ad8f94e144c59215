import { createSourceEventStream, type DocumentNode, type ExecutionResult, execute, type GraphQLSchema } from 'graphql';
import { withShareKeys } from '../../access/visitors.ts';
import type { Context } from '../../context/context.ts';
import { runAdmitted } from '../../query-cost/admission.ts';
import { boundErrors, formatError } from './errors.ts';
import type { GraphQLResponse, Subscription } from './outcome.ts';

export interface SubscriptionRequest {
  schema: GraphQLSchema;
  document: DocumentNode;
  operationName: string | null | undefined;
  variables: Record<string, unknown>;
  /** Of each event, as far as it is known before. */
  cost: number;
  shareKeys: readonly unknown[];
}

/**
 * Executes a subscription (GraphQL October 2021, 6.2.3). Each event has its own context, so that no data or permission
 * of one event is reused for the next. An error of the source is the last response.
 */
export const makeSubscription = ({
  schema,
  document,
  operationName,
  variables,
  cost,
  shareKeys,
}: SubscriptionRequest): Subscription =>
  async function* responses(unkeyed, streamClient) {
    const renew = async () => withShareKeys(await streamClient.renew(), shareKeys);
    const ctx = { ...(await withShareKeys(unkeyed, shareKeys)), stream: { ...streamClient, renew } };
    const request = { schema, document, operationName, variableValues: variables };
    try {
      const source = await createSourceEventStream({ ...request, contextValue: ctx });
      if (!(Symbol.asyncIterator in source)) {
        yield responseOf(source, ctx);
        return;
      }
      for await (const event of source) {
        const fresh = await renew();
        const result = await runAdmitted(fresh, cost, async () =>
          execute({ ...request, rootValue: event, contextValue: fresh }),
        );
        const id = idOf(event);
        yield { ...responseOf(result, fresh), ...(id.eventId && { extensions: id }) };
      }
    } catch (error) {
      yield { errors: [formatError(error, ctx)] };
    }
  };

function responseOf({ data, errors }: ExecutionResult, ctx: Context): GraphQLResponse {
  return {
    ...(errors && { errors: boundErrors(errors.map((error) => formatError(error, ctx))) }),
    ...(data !== undefined && { data }),
  };
}

const idOf = (event: unknown): { eventId?: string } =>
  typeof event === 'object' && event !== null && 'id' in event && typeof event.id === 'string'
    ? { eventId: event.id }
    : {};
