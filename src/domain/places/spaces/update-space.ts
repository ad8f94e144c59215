import { z } from 'zod';
import { allUndefined } from '../../../lib/all-undefined.ts';
import { nowOf } from '../../../platform/context/context.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { watchSettings } from '../../../platform/events/settings-changes.ts';
import { command } from '../../../platform/operation/operation.ts';
import { webAddress } from '../../../platform/shapes/web-address.ts';
import { contentLevel, permissions, storedLevel } from '../../people/access/index.ts';
import { assertMembers, spaceMergeRules } from '../../people/organizations/index.ts';
import { spaceFor, spaceForChange } from './access.ts';
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
  scope: 'write',
  scopeOf: (settings) => (changesRules(settings) ? 'admin' : undefined),
  description: 'Updates settings of a space. Omitted fields keep their values.',
  input,
  versioned: 'spaceId',
  authorize: (ctx, ids) => spaceFor(ctx, ids.spaceId ?? '', permissions.updateSpace.space),
  async run(ctx, { spaceId: id, emoji, icon, ...settings }) {
    const { defaultLevel, mergeRules } = settings;
    const changesAccess = defaultLevel !== undefined;
    const space = await spaceForChange(ctx, id, permissionFor(settings), { changesAccess });
    if (mergeRules) await assertMembers(ctx, space.organizationId, mergeRules, ['mergeRules']);
    const changes = { ...settings, defaultLevel: storedLevel(defaultLevel), ...symbolBy(emoji, icon) };
    if (allUndefined(changes)) return { space };
    const changed = watchSettings(space, SETTINGS);
    ctx.em.assign(space, { ...changes, updatedAt: nowOf(ctx) });
    await ctx.em.flush();
    const { organizationId } = space;
    await recordEvent(ctx, { kind: 'space_updated', organizationId, spaceId: id, changes: changed() });
    return { space };
  },
});

/** Settings whose changes events record. */
const SETTINGS = ['title', 'emoji', 'icon', 'language', 'editMode', 'defaultLevel', 'mergeRules'] as const;

/** Appearance requires the role `create`, settings that control access and merging require `admin`. */
const permissionFor = (settings: Settings) =>
  changesRules(settings) ? permissions.updateSpaceSettings.space : permissions.updateSpace.space;

type Settings = Pick<z.output<typeof input>, 'editMode' | 'defaultLevel' | 'mergeRules'>;

const changesRules = ({ editMode: mode, defaultLevel, mergeRules }: Settings): boolean =>
  mode !== undefined || defaultLevel !== undefined || mergeRules !== undefined;

/** Setting the emoji or the icon replaces the other. Null for either restores the default emoji. */
function symbolBy(emoji: string | null | undefined, icon: string | null | undefined) {
  if (emoji === undefined && icon === undefined) return {};
  return { emoji: emoji ?? DEFAULT_EMOJI, icon: icon ?? null };
}
