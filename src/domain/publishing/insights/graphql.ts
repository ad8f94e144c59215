import { atLeast } from '../../../platform/access/roles.ts';
import { builder } from '../../../platform/graphql/builder.ts';
import { mutation } from '../../../platform/graphql/mutation.ts';
import { readInGraph } from '../../../platform/graphql/operations-in-graph.ts';
import { typeOf } from '../../../platform/graphql/resource-type.ts';
import { accessLoader, permissions } from '../../people/access/index.ts';
import { SiteType } from '../sites/graphql.ts';
import { loadSite } from '../sites/index.ts';
import { getSiteInsights, insightsOf } from './get-site-insights.ts';
import { siteInsights } from './resources.ts';
import { trackSiteEvents } from './track-site-events.ts';

readInGraph(getSiteInsights);

builder.objectFields(SiteType, (t) => ({
  insights: t.field({
    type: typeOf(siteInsights),
    nullable: true,
    description: `${getSiteInsights.description} Null if you have no role on the site.`,
    args: {
      from: t.arg.string({ description: 'First day, in UTC. By default, 30 days up to the last day.' }),
      to: t.arg.string({ description: 'Last day, in UTC. By default, today.' }),
    },
    resolve: async ({ id }, { from, to }, ctx) => {
      const access = await accessLoader.site(ctx, id);
      return atLeast(access?.role, permissions.getSiteInsights.site) ? insightsOf(ctx, id, from, to) : null;
    },
  }),
}));

mutation(trackSiteEvents, {
  site: {
    type: SiteType,
    nullable: true,
    description: 'Site whose visitors were counted. Null if you cannot see it.',
    resolve: ({ siteId }, ctx) => loadSite(ctx, siteId),
  },
});
