import type { z } from 'zod';
import type { Context } from '../context.ts';
import type { Operation } from '../operation.ts';
import { forgetRequestCache } from '../request-cache.ts';
import { builder } from './builder.ts';
import { readInGraph } from './coverage.ts';
import { inputFields } from './input.ts';
import { placeIssues } from './place-issues.ts';

/** One field of a payload: its type, and how it is read after the operation has committed. */
export interface PayloadField<Output> {
  // biome-ignore lint/suspicious/noExplicitAny: a reference to any type of the graph, or the name of a scalar.
  type: any;
  description: string;
  nullable?: boolean;
  resolve(output: Output, ctx: Context): unknown;
}

const EXPECTED_VERSION =
  'Do it only while what it changes is in this version, one that `version` gave: any other is PRECONDITION_FAILED.';

const IDEMPOTENCY_KEY =
  'A text of yours, 1 to 255 characters: for 24 hours the same input under the same key is done once, and answered ' +
  'as often as it is sent. Another input is CONFLICT. Secrets are not shown again.';

/**
 * Makes the mutation of a command: one `input` from its schema with what every mutation takes, one payload with what it
 * changed (Relay, "Mutations"). Loaders forget what they read before it ran.
 */
export function mutation<Input extends z.ZodObject, Output>(
  operation: Operation<Input, Output>,
  payload: Record<string, PayloadField<Output>>,
  options: { deprecationReason?: string } = {},
): void {
  readInGraph(operation);
  const name = operation.operationName;
  const typeName = `${name[0]?.toUpperCase()}${name.slice(1)}`;
  describeInput(`What \`${name}\` is to do.`);
  builder.relayMutationField(
    name,
    {
      description: `What \`${name}\` needs to know.`,
      inputFields: (t) => ({
        ...inputFields(operation.input, typeName, t),
        ...(operation.versioned === undefined ? {} : { expectedVersion: t.string({ description: EXPECTED_VERSION }) }),
        idempotencyKey: t.string({ description: IDEMPOTENCY_KEY }),
      }),
    },
    {
      // One that is refused does not hide what the others in the document have done.
      nullable: true,
      description: operation.description,
      ...options,
      resolve: async (_root, args, ctx) => {
        // The input type was made from the operation's schema, which checks the values.
        const { clientMutationId, idempotencyKey, expectedVersion, ...given } = args.input as z.input<Input> & Extras;
        const expectedVersions = expectedVersion == null ? undefined : [expectedVersion];
        const running = operation(ctx, given as unknown as z.input<Input>, { idempotencyKey, expectedVersions });
        const output = await placeIssues(running, (path) => ['input', ...path]);
        forgetRequestCache(ctx);
        return { output };
      },
    },
    {
      description: `What \`${name}\` changed, as it is afterwards.`,
      outputFields: (t) =>
        Object.fromEntries(
          Object.entries(payload).map(([field, { type, description, nullable, resolve }]) => [
            field,
            t.field({
              type,
              description,
              nullable: nullable ?? false,
              // biome-ignore lint/suspicious/noExplicitAny: the payload's declaration ties type and value.
              resolve: ({ output }: { output: Output }, _args, ctx) => resolve(output, ctx) as any,
            }),
          ]),
        ),
    },
  );
}

/** The plugin describes the argument `input` of the mutation that it makes next by an option of its own. */
function describeInput(description: string): void {
  const { relay } = builder.options;
  if (relay) relay.mutationInputArgOptions = { description };
}

/** Members of every mutation's input that are not the operation's. */
interface Extras {
  clientMutationId?: string | null;
  idempotencyKey?: string | null;
  expectedVersion?: string | null;
}
