import { z } from 'zod';
import { type Context, nowOf } from '../../../platform/context.ts';
import { held } from '../../../platform/database/held.ts';
import { badInput, conflict } from '../../../platform/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command, idOf } from '../../../platform/operation.ts';
import { contentLevel, permissions, roleStored } from '../../people/access/index.ts';
import { authorizeSite, siteFor } from './access.ts';
import { makeDefaultSection, makeDefaultSiteSpace } from './defaults.ts';
import { Site } from './entity.ts';
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
  defaultSiteSectionId: idOf('section').optional().describe('ID of the section that visitors see first.'),
  proxy: proxyOrigin.nullish(),
});

/** Settings that decisions about access read. */
const CHANGING_ACCESS = ['visibility', 'defaultLevel', 'adaptiveContent'] as const;

export const updateSite = command({
  name: 'updateSite',
  description: 'Updates settings of a site. Omitted fields keep their values.',
  input,
  versioned: 'siteId',
  authorize: authorizeSite(needed),
  async run(ctx, { defaultSiteSpaceId, defaultSiteSectionId, ...given }) {
    const changesAccess = CHANGING_ACCESS.some((name) => given[name] !== undefined);
    const row = await siteFor(ctx, given, needed, { lock: 'for no key update', changesAccess });
    const site = held(ctx, Site, row);
    // Sites from before sites were created with a key.
    if (given.visibility === 'visitor-auth')
      await makeSiteKey(ctx, { siteId: row.id, organizationId: row.organizationId });
    if (given.hostname != null && given.hostname !== row.hostname) await rejectVerifiedElsewhere(ctx, given.hostname);
    if (defaultSiteSectionId !== undefined) await makeDefaultSection(ctx, row.id, defaultSiteSectionId);
    if (defaultSiteSpaceId !== undefined) await makeDefaultOfSite(ctx, row.id, defaultSiteSpaceId);
    const changed = [...Object.values(changesBy(given)), defaultSiteSpaceId, defaultSiteSectionId];
    if (changed.every((value) => value === undefined)) return { siteId: row.id };
    ctx.em.assign(
      site,
      { ...changesBy(given), updatedAt: nowOf(ctx) },
      { ignoreUndefined: true, mergeObjectProperties: false },
    );
    await ctx.em.flush();
    await recordEvent(ctx, { kind: 'site_updated', organizationId: row.organizationId, ids: { siteId: row.id } });
    return { siteId: row.id };
  },
});

/** A claim does not exclude other claims until the DNS record proves it. */
async function rejectVerifiedElsewhere({ db }: Context, hostname: string): Promise<void> {
  const found = await db
    .selectFrom('custom_hostname as ch')
    .innerJoin('site as si', (join) => join.onRef('si.id', '=', 'ch.siteId').onRef('si.hostname', '=', 'ch.hostname'))
    .where('ch.hostname', '=', hostname)
    .where('ch.verifiedAt', 'is not', null)
    .select('si.id')
    .executeTakeFirst();
  if (found) throw conflict('This hostname is verified for another site.');
}

type Given = Omit<z.output<typeof input>, 'defaultSiteSpaceId' | 'defaultSiteSectionId'>;

const changesBy = ({ title, icon, hostname, basename, visibility, proxy, ...given }: Given) => ({
  title,
  icon,
  hostname,
  basename,
  visibility,
  proxyOrigin: proxy,
  isAdaptive: given.adaptiveContent?.enabled,
  isForAgents: given.agentsContext === undefined ? undefined : given.agentsContext === 'included',
  defaultLevel: given.defaultLevel === undefined ? undefined : roleStored(given.defaultLevel),
});

/** The default site space of the site itself: at the root, or in the default section. */
async function makeDefaultOfSite(ctx: Context, siteId: string, siteSpaceId: string): Promise<void> {
  const section = await ctx.db
    .selectFrom('site_item')
    .where('siteId', '=', siteId)
    .where('kind', '=', 'section')
    .where('isDefault', '=', true)
    .select('id')
    .executeTakeFirst();
  if (await makeDefaultSiteSpace(ctx, { siteId, sectionId: section?.id ?? null, siteSpaceId })) return;
  const place = section ? 'in the default section' : 'at the root';
  throw badInput(['defaultSiteSpaceId'], `"${siteSpaceId}" is not a site space ${place} of this site.`);
}
