import { reachOf, requireUserId } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { entityLoader } from '../../../platform/reads/entity-loader.ts';
import { Passkey } from './entity.ts';

/** A passkey as it is shown. */
export type PasskeyRow = Pick<Row<'passkey'>, 'id' | 'userId' | 'label' | 'isSynced' | 'createdAt' | 'lastUsedAt'>;

export const PASSKEY_COLUMNS = ['id', 'userId', 'label', 'isSynced', 'createdAt', 'lastUsedAt'] as const;

const load = entityLoader<PasskeyRow>(Passkey, {
  fields: PASSKEY_COLUMNS,
  isShown: ({ actor }, { userId }) => requireUserId(actor) === userId && reachOf(actor) === undefined,
});

/** The caller's own passkeys by id, batched. Those of other users are not found. */
export async function loadPasskey(ctx: Context, id: string): Promise<PasskeyRow | undefined> {
  requireUserId(ctx.actor);
  return load(ctx, id);
}
