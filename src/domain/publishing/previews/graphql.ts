import { userIdOf } from '../../../platform/access/actor.ts';
import { atLeast } from '../../../platform/access/roles.ts';
import { builder } from '../../../platform/graphql/builder.ts';
import { readInGraph } from '../../../platform/graphql/operations-in-graph.ts';
import { parse } from '../../../platform/operation/operation.ts';
import { accessLoader, permissions } from '../../people/access/index.ts';
import { SiteType } from '../sites/graphql.ts';
import { getSitePreview, sitePreviewUrl } from './get-site-preview.ts';

readInGraph(getSitePreview);

builder.objectFields(SiteType, (t) => ({
  preview: t.field({
    type: 'URL',
    nullable: true,
    description: `${getSitePreview.description} Null if you have no role on the site.`,
    args: {
      siteSpaceId: t.arg.id({
        description: 'ID of the site space to begin with. By default, the one that visitors see first.',
      }),
      claims: t.arg({
        type: 'JSONObject',
        description: 'Claims of the visitor to preview the site as. Unsigned claims are members of `unsigned`.',
      }),
      target: t.arg.string({
        description: 'Path to begin with, below the site space, such as `guides/setup` or `~/changes/3`.',
      }),
    },
    resolve: async (site, { siteSpaceId, claims, target }, ctx) => {
      const { id } = site;
      const access = await accessLoader.site(ctx, id);
      if (userIdOf(ctx.actor) === undefined || !atLeast(access?.role, permissions.getSitePreview.site)) return null;
      const input = parse(getSitePreview.input, { siteId: id, siteSpaceId, claims, target });
      return sitePreviewUrl(ctx, site, input);
    },
  }),
}));
