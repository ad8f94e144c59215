import { z } from 'zod';
import type { Context } from '../context.ts';
import { orNull } from '../errors.ts';
import type { Operation } from '../operation.ts';
import { argumentsOf } from './arguments.ts';
import { builder, type TypeRef } from './builder.ts';
import { readInGraph } from './coverage.ts';

export { orNull };

/**
 * A root field that reads one object: `space(id)` from `getSpace`. `rename` gives arguments other names than the
 * members of the input. Absent and hidden answer null.
 */
export function lookup<Input extends z.ZodObject, Row>(
  name: string,
  operation: Operation<Input, Row>,
  type: TypeRef<Row>,
  rename: Record<string, keyof z.input<Input> & string> = {},
): void {
  readInGraph(operation);
  const memberOf = (argument: string) => rename[argument] ?? argument;
  const shape = Object.fromEntries(
    Object.entries(operation.input.shape).map(([member, schema]) => [
      Object.keys(rename).find((argument) => rename[argument] === member) ?? member,
      schema,
    ]),
  );
  builder.queryField(name, (t) =>
    t.field({
      // biome-ignore lint/suspicious/noExplicitAny: Row is the shape behind the reference.
      type: type as any,
      nullable: true,
      description: `${operation.description} Null when there is none that the viewer may see.`,
      args: argumentsOf(z.object(shape), operation.operationName, t),
      resolve: (_root, args, ctx: Context) => {
        const input = Object.fromEntries(Object.entries(args).map(([argument, value]) => [memberOf(argument), value]));
        // biome-ignore lint/suspicious/noExplicitAny: as above; the arguments come from the operation's schema.
        return orNull(operation(ctx, input as any)) as any;
      },
    }),
  );
}
