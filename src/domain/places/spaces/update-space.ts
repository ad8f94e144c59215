import type { Updateable } from 'kysely';
import { z } from 'zod';
import { nowOf } from '../../../platform/context.ts';
import type { Tables } from '../../../platform/database/tables.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command } from '../../../platform/operation.ts';
import { webAddress } from '../../../platform/web-address.ts';
import { contentLevel, permissions, roleStored } from '../../people/access/index.ts';
import { rejectStrangers, spaceMergeRules } from '../../people/organizations/index.ts';
import { spaceFor } from './access.ts';
import { editMode } from './enums.ts';
import { translationLanguage } from './language.ts';
import { DEFAULT_EMOJI, spaceEmoji, spaceId, spaceTitle } from './settings.ts';

const input = z.object({
  spaceId,
  title: spaceTitle.optional(),
  emoji: spaceEmoji
    .nullish()
    .describe(
      'Emoji of the space, as a character or as a hexadecimal code point. Replaces the icon. Null restores the default emoji.',
    ),
  icon: webAddress()
    .nullish()
    .describe('URL of an image that replaces the emoji, up to 2,048 characters. Null restores the default emoji.'),
  language: translationLanguage.nullish().describe('Language of the content. Null if unknown.'),
  editMode: editMode.optional().describe('Whether the primary content can be edited directly. Requires `admin`.'),
  defaultLevel: contentLevel
    .nullish()
    .describe(
      'Default access of organization members to the space. Granted roles replace it. Null for no access. Requires `admin`.',
    ),
  mergeRules: spaceMergeRules.optional().describe('Conditions for merging change requests. Requires `admin`.'),
});

export const updateSpace = command({
  name: 'updateSpace',
  description: 'Updates settings of a space. Omitted fields keep their values.',
  input,
  versioned: 'spaceId',
  authorize: (ctx, ids) => spaceFor(ctx, ids.spaceId ?? '', permissions.updateSpace.space),
  async run(ctx, given) {
    const changesAccess = given.defaultLevel !== undefined;
    const space = await spaceFor(ctx, given.spaceId, permissionFor(given), {
      lock: 'for no key update',
      changesAccess,
    });
    if (given.mergeRules) await rejectStrangers(ctx, space.organizationId, given.mergeRules, ['mergeRules']);
    const changes = changesBy(given);
    if (Object.values(changes).every((value) => value === undefined)) return { space };
    const changed = await ctx.db
      .updateTable('space')
      .set({ ...changes, updatedAt: nowOf(ctx) })
      .where('id', '=', space.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordEvent(ctx, { kind: 'space_updated', organizationId: space.organizationId, spaceId: space.id });
    return { space: changed };
  },
});

type Given = z.output<typeof input>;

/** Appearance requires the role `create`, settings that control access and merging require `admin`. */
function permissionFor({ editMode: mode, defaultLevel, mergeRules }: Given) {
  const isSettings = mode !== undefined || defaultLevel !== undefined || mergeRules !== undefined;
  return isSettings ? permissions.updateSpaceSettings.space : permissions.updateSpace.space;
}

const changesBy = ({
  title,
  language,
  editMode: mode,
  defaultLevel,
  mergeRules,
  ...given
}: Given): Updateable<Tables['space']> => ({
  title,
  language,
  editMode: mode,
  defaultLevel: defaultLevel === undefined ? undefined : roleStored(defaultLevel),
  mergeRules,
  ...symbolBy(given),
});

/** Setting the emoji or the icon replaces the other. Null for either restores the default emoji. */
function symbolBy({ emoji, icon }: Pick<Given, 'emoji' | 'icon'>): Pick<Updateable<Tables['space']>, 'emoji' | 'icon'> {
  if (emoji === undefined && icon === undefined) return {};
  return { emoji: emoji ?? DEFAULT_EMOJI, icon: icon ?? null };
}
