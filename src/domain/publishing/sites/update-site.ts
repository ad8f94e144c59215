import { z } from 'zod';
import { allUndefined } from '../../../lib/all-undefined.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { badInput, conflict } from '../../../platform/errors/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { settingsBetween, watchSettings } from '../../../platform/events/settings-changes.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { contentLevel, permissions, storedLevel } from '../../people/access/index.ts';
import { authorizeSite, siteForChange } from './access.ts';
import { makeDefaultSection, makeDefaultSiteSpace } from './defaults.ts';
import { agentsContext, siteVisibility } from './enums.ts';
import { proxyOrigin, siteBasename, siteHostname, siteIcon, siteName, siteTitle } from './settings.ts';
import { makeSiteKey } from './site-key.ts';

const needed = permissions.updateSite.site;

const input = z.object({
  ...siteName,
  title: siteTitle.optional(),
  icon: siteIcon.nullish().describe('Icon of the site: an emoji, or a light and a dark image. Null removes it.'),
  hostname: siteHostname.nullish(),
  basename: siteBasename.optional(),
  visibility: siteVisibility.optional().describe('Who can read the site while it is published.'),
  defaultLevel: contentLevel
    .nullish()
    .describe('Default access of organization members to the site. Granted roles replace it. Null for no access.'),
  adaptiveContent: z
    .object({ enabled: z.boolean().describe('Whether conditions on content can use claims of visitors.') })
    .meta({ inputName: 'SiteAdaptiveContentInput', description: 'Whether the content depends on visitors.' })
    .optional()
    .describe('Whether the content of the site depends on its visitors.'),
  agentsContext: agentsContext.optional().describe('Whether agents can use the content of the site.'),
  defaultSiteSpaceId: idOf('sitespace')
    .optional()
    .describe(
      'ID of the site space that visitors see first: at the root or, if the site has sections, in the default section.',
    ),
  defaultSiteSectionId: idOf('section')
    .optional()
    .describe(
      'ID of the section that visitors see first. CONFLICT if one of its spaces has the path of another section.',
    ),
  proxy: proxyOrigin.nullish(),
});

/** Settings whose changes events record. */
const SETTINGS = [
  ...(['title', 'icon', 'hostname', 'basename', 'visibility', 'defaultLevel'] as const),
  ...(['isAdaptive', 'isForAgents', 'proxyOrigin'] as const),
];

/** Settings that decisions about access read. */
const CHANGING_ACCESS = ['visibility', 'defaultLevel', 'adaptiveContent'] as const;

export const updateSite = command({
  name: 'updateSite',
  scope: 'publish',
  scopeOf: ({ defaultLevel }) => (defaultLevel === undefined ? undefined : 'admin'),
  description: 'Updates settings of a site. Omitted fields keep their values.',
  input,
  versioned: 'siteId',
  authorize: authorizeSite(needed),
  async run(ctx, { siteId, organizationId: owner, defaultSiteSpaceId, defaultSiteSectionId, ...input }) {
    const changesAccess = CHANGING_ACCESS.some((name) => input[name] !== undefined);
    const site = await siteForChange(ctx, { siteId, organizationId: owner }, needed, { changesAccess });
    const { organizationId } = site;
    // Sites from before sites were created with a key.
    if (input.visibility === 'visitor-auth') await makeSiteKey(ctx, { siteId, organizationId });
    const isRenamed = input.hostname !== undefined && input.hostname !== site.hostname;
    if (isRenamed && input.hostname != null) await rejectVerifiedElsewhere(ctx, input.hostname);
    if (allUndefined({ ...input, defaultSiteSpaceId, defaultSiteSectionId })) return { siteId };
    const defaultsBefore = await defaultsOf(ctx, siteId);
    if (defaultSiteSectionId !== undefined) await makeDefaultSection(ctx, siteId, defaultSiteSectionId);
    if (defaultSiteSpaceId !== undefined) await makeDefaultOfSite(ctx, siteId, defaultSiteSpaceId);
    const { proxy, adaptiveContent, agentsContext: agents, defaultLevel, ...settings } = input;
    const changed = watchSettings(site, SETTINGS);
    ctx.em.assign(site, {
      ...settings,
      proxyOrigin: proxy,
      isAdaptive: adaptiveContent?.enabled,
      isForAgents: agents === undefined ? undefined : agents === 'included',
      defaultLevel: storedLevel(defaultLevel),
      updatedAt: nowOf(ctx),
    });
    await ctx.em.flush();
    // The site may claim the former hostname again, when its DNS record may lead elsewhere.
    if (isRenamed) await ctx.db.deleteFrom('custom_hostname').where('siteId', '=', siteId).execute();
    const defaults = settingsBetween(defaultsBefore, await defaultsOf(ctx, siteId));
    const changes = { ...changed(), ...defaults };
    await recordEvent(ctx, { kind: 'site_updated', organizationId, ids: { siteId }, changes });
    return { siteId };
  },
});

/** A claim does not exclude other claims until the DNS record proves it. */
async function rejectVerifiedElsewhere({ db }: Context, hostname: string): Promise<void> {
  const claim = await db
    .selectFrom('custom_hostname as ch')
    .innerJoin('site as si', (join) => join.onRef('si.id', '=', 'ch.siteId').onRef('si.hostname', '=', 'ch.hostname'))
    .where('ch.hostname', '=', hostname)
    .where('ch.verifiedAt', 'is not', null)
    .select('si.id')
    .executeTakeFirst();
  if (claim) throw conflict('This hostname is verified for another site.');
}

/** The section and the site space that visitors see first, as `defaultSiteSectionId` and `defaultSiteSpaceId`. */
async function defaultsOf({ db }: Context, siteId: string) {
  const section = await db
    .selectFrom('site_item')
    .where('siteId', '=', siteId)
    .where('kind', '=', 'section')
    .where('isDefault', '=', true)
    .select('id')
    .executeTakeFirst();
  const siteSpace = await db
    .selectFrom('site_space')
    .where('siteId', '=', siteId)
    .where('sectionId', section ? '=' : 'is', section?.id ?? null)
    .where('isDefault', '=', true)
    .select('id')
    .executeTakeFirst();
  return { defaultSiteSectionId: section?.id, defaultSiteSpaceId: siteSpace?.id };
}

/** The default site space of the site itself: at the root, or in the default section. */
async function makeDefaultOfSite(ctx: Context, siteId: string, siteSpaceId: string): Promise<void> {
  const { defaultSiteSectionId: sectionId = null } = await defaultsOf(ctx, siteId);
  if (await makeDefaultSiteSpace(ctx, { siteId, sectionId, siteSpaceId })) return;
  const place = sectionId !== null ? 'in the default section' : 'at the root';
  throw badInput(['defaultSiteSpaceId'], `"${siteSpaceId}" is not a site space ${place} of this site.`, 'NOT_FOUND');
}
