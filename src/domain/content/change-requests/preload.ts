import type { Context } from '../../../platform/context/context.ts';
import type { Wants } from '../../../platform/resource/field.ts';
import { loadUser } from '../../people/users/index.ts';
import type { ChangeRequestRow } from './access.ts';

/** Loads the users that the selected fields of change requests read, in one statement. */
export async function preloadPeople(
  ctx: Context,
  rows: readonly ChangeRequestRow[],
  wants: Wants = () => true,
): Promise<void> {
  const creatorIds = wants('createdBy') ? rows.flatMap(({ createdBy, creator }) => (creator ? [] : [createdBy])) : [];
  const mergerIds = wants('mergedBy') ? rows.flatMap(({ mergedBy }) => mergedBy ?? []) : [];
  await loadUser.loadMany(ctx, [...creatorIds, ...mergerIds]);
}
