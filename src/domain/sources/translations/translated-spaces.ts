import { anyOf } from '../../../platform/database/conditions.ts';
import type { TransferPrecondition } from '../../places/transfers/index.ts';

/** Source and translation must have the same organization: a run reads one of them and writes the other. */
export const translatedSpaces: TransferPrecondition = async ({ db }, { spaceIds }) => {
  const translation = await db
    .selectFrom('translation')
    .where(({ or, eb }) => or([eb('spaceId', '=', anyOf(spaceIds)), eb('translatedSpaceId', '=', anyOf(spaceIds))]))
    .select(['id', 'spaceId', 'translatedSpaceId'])
    .executeTakeFirst();
  if (!translation) return null;
  const spaceId = spaceIds.includes(translation.spaceId) ? translation.spaceId : translation.translatedSpaceId;
  return `The space "${spaceId}" belongs to the translation "${translation.id}". Delete the translation first; its space is kept.`;
};
