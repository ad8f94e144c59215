import { anyOf } from '../../../platform/database/any-of.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { rowLoader } from '../../../platform/loader.ts';
import { reaches, roleOn } from '../../people/access/index.ts';

export type SiteRow = Row<'site'>;

/** Sites by id, batched. Leaves out those that the caller has no role on. */
export const loadSite = rowLoader<SiteRow>('site', ({ db, actor }, ids) =>
  db
    .selectFrom('site as r')
    .where('r.id', '=', anyOf(ids))
    .where(reaches(roleOn.site(actor, 'r'), 'read'))
    .selectAll('r')
    .execute(),
);

export type SiteSpaceRow = Row<'site_space'>;

/** Spaces of sites by id, batched. Leaves out those of sites that the caller has no role on. */
export const loadSiteSpace = rowLoader<SiteSpaceRow>('site space', ({ db, actor }, ids) =>
  db
    .selectFrom('site_space as l')
    .innerJoin('site as r', 'r.id', 'l.siteId')
    .where('l.id', '=', anyOf(ids))
    .where(reaches(roleOn.site(actor, 'r'), 'read'))
    .selectAll('l')
    .execute(),
);
