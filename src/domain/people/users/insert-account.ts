import { type Context, nowOf } from '../../../platform/context/context.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { newId } from '../../../platform/ids/ids.ts';
import { lineFrom } from '../../../platform/shapes/cut-text.ts';

const MAX_NAME = 100;

/** The name of an account as an identity provider tells it, without what a name cannot have. */
export const accountName = (name: string): string => lineFrom(name, MAX_NAME);

/**
 * Inserts an account without a verified address, for a person whom only one organization vouches for. Returns its id.
 */
export async function insertAccount(ctx: Context, name: string): Promise<string> {
  const [id, now] = [newId('user'), nowOf(ctx)];
  await ctx.db
    .insertInto('user')
    .values({ id, email: null, displayName: accountName(name), createdAt: now, updatedAt: now })
    .execute();
  await recordEvent(ctx, { kind: 'user_created', organizationId: null, ids: { userId: id } });
  return id;
}
