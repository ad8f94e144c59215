import { z } from 'zod';
import { slugify, uniqueSlug } from '../../../lib/slug.ts';
import { userIdOf } from '../../../platform/access/actor.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { constraintMeans } from '../../../platform/database/constraints.ts';
import { conflict } from '../../../platform/errors/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { newId } from '../../../platform/ids/ids.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { grantToCreator, organizationFor, organizationForAccess, permissions } from '../../people/access/index.ts';
import { siteType, siteVisibility } from './enums.ts';
import { linkableSpaces, linkSpaces, titleFrom } from './linked-spaces.ts';
import { siteTitle } from './settings.ts';
import { makeSiteKey } from './site-key.ts';

/** Maximum number of spaces that a site can be created with. */
const MAX_NEW_SPACES = 100;

constraintMeans('site_basename_unique', () => conflict('Another site of the organization has this basename.'));
constraintMeans('site_own_hostname_unique', () => conflict('Another site of the organization has this hostname.'));

const needed = permissions.createSite.organization;

export const createSite = command({
  name: 'createSite',
  scope: 'publish',
  description:
    'Creates an unpublished site with the given spaces. The first space is the default. You become its admin.',
  input: z.object({
    organizationId: idOf('org'),
    type: siteType.nullish().describe('Plan of the site. Plans do not limit any feature. By default, the basic plan.'),
    title: siteTitle
      .nullish()
      .describe('Title of the site, 2 to 128 characters. By default, the title of the first space, or `Docs`.'),
    visibility: siteVisibility.nullish().describe('Who can read the site once it is published. By default, anyone.'),
    spaceIds: z
      .array(idOf('space'))
      .max(MAX_NEW_SPACES, `must be at most ${MAX_NEW_SPACES} spaces`)
      .nullish()
      .describe(
        `IDs of up to ${MAX_NEW_SPACES} spaces of the organization, in their order on the site. Requires \`create\` on each.`,
      ),
  }),
  authorize: (ctx, { organizationId = '' }) => organizationFor(ctx, organizationId, needed),
  async run(ctx, { organizationId, type, title, visibility, spaceIds }) {
    // Sites that are created at the same time must not choose the same basename.
    await organizationForAccess(ctx, organizationId, needed, 'for no key update');
    const spaces = await linkableSpaces(ctx, { organizationId, spaceIds: spaceIds ?? [] }, (index) => [
      'spaceIds',
      index,
    ]);
    const [siteId, now] = [newId('site'), nowOf(ctx)];
    const name = title ?? titleFrom(spaces[0]?.title ?? 'Docs');
    await ctx.db
      .insertInto('site')
      .values({
        id: siteId,
        organizationId,
        type: type ?? 'basic',
        title: name,
        basename: await basenameOf(ctx, organizationId, name),
        visibility: visibility ?? 'public',
        createdBy: userIdOf(ctx.actor) ?? null,
        createdAt: now,
        updatedAt: now,
      })
      .execute();
    await makeSiteKey(ctx, { siteId, organizationId });
    await grantToCreator(ctx, { targetId: siteId, organizationId });
    await linkSpaces(ctx, { siteId, organizationId }, spaces);
    await recordEvent(ctx, { kind: 'site_created', organizationId, ids: { siteId } });
    return { siteId };
  },
});

/** The slug of a title, or with the first suffix that makes it unique in the organization. */
async function basenameOf(ctx: Context, organizationId: string, title: string): Promise<string> {
  const slug = slugify(title);
  const rows = await ctx.db
    .selectFrom('site')
    .where('organizationId', '=', organizationId)
    .where('basename', 'like', `${slug.replaceAll(/[\\%_]/g, '\\$&').slice(0, 90)}%`)
    .select('basename')
    .execute();
  return uniqueSlug(slug, new Set(rows.map(({ basename }) => basename ?? '')));
}
