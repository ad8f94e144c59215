import { types } from '../../../platform/resource/field-types.ts';
import { resource } from '../../../platform/resource/resource.ts';
import type { Count } from './count-events.ts';
import type { SiteInsights } from './get-site-insights.ts';
import { siteEventType } from './track-site-events.ts';

const dayCount = resource<SiteInsights['days'][number]>(
  { name: 'SiteEventCount', description: 'Number of events of one type on a day.' },
  (f) => ({
    day: f.string('The day in UTC, such as 2026-01-31.', ({ day }) => day),
    type: f.enum(siteEventType)('Type of the event.', ({ type }) => siteEventType.parse(type)),
    total: f.int('Number of times.', ({ total }) => total),
  }),
);

const pageCount = resource<Count>(
  { name: 'SitePageCount', description: 'Number of views of a page of a site.' },
  (f) => ({
    pageId: f.id('page')('ID of the viewed page. The page may have been deleted since.', ({ value }) => value, {
      rest: 'page',
    }),
    total: f.int('Number of times.', ({ total }) => total),
  }),
);

const referrerCount = resource<Count>(
  { name: 'SiteReferrerCount', description: 'Number of visits to a site from another website.' },
  (f) => ({
    host: f.string('Host of the website.', ({ value }) => value),
    total: f.int('Number of times.', ({ total }) => total),
  }),
);

const searchCount = resource<Count>(
  { name: 'SiteSearchCount', description: 'Number of searches for a query on a site.' },
  (f) => ({
    query: f.string('The query in lowercase, up to 100 characters.', ({ value }) => value),
    total: f.int('Number of times.', ({ total }) => total),
  }),
);

const ofKind =
  (kind: Count['kind']) =>
  ({ top }: SiteInsights) =>
    top.filter((count) => count.kind === kind);

export const siteInsights = resource<SiteInsights>(
  { name: 'SiteInsights', object: 'site-insights', description: "Actions of a site's visitors in a range of days." },
  (f) => ({
    from: f.string('First day in UTC.', ({ from }) => from),
    to: f.string('Last day in UTC.', ({ to }) => to),
    events: f.list(types.object(() => dayCount))(
      'Events by day and type. Days without events are left out.',
      ({ days }) => days,
    ),
    pages: f.list(types.object(() => pageCount))('The most viewed pages.', ofKind('page')),
    referrers: f.list(types.object(() => referrerCount))('The most frequent referrers.', ofKind('referrer')),
    searches: f.list(types.object(() => searchCount))('The most frequent searches.', ofKind('search')),
  }),
);
