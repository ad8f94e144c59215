import { builder } from '../../../platform/graphql/builder.ts';
import { enumType } from '../../../platform/graphql/enums.ts';
import { registerNode } from '../../../platform/graphql/node.ts';
import { namedEnum } from '../../../platform/named-enum.ts';
import { SpaceType } from '../../places/spaces/graphql.ts';
import { loadSpace } from '../../places/spaces/index.ts';
import { loadSite, loadSiteSpace, type SiteRow, type SiteSpaceRow } from './load.ts';

const siteVisibility = namedEnum('SiteVisibility', 'Who may read a published site.', {
  public: 'Anyone; search engines may index it.',
  unlisted: 'Anyone who has the address; search engines are asked not to index it.',
  'share-link': 'Anyone with a secret key in the address.',
  'visitor-auth': 'Anyone whom a JWT of the site authenticates.',
});

export const SiteType = builder.objectRef<SiteRow>('Site').implement({
  description: 'A published set of spaces.',
  fields: (t) => ({
    title: t.exposeString('title', { description: 'Its name.' }),
    visibility: t.expose('visibility', {
      type: enumType(siteVisibility),
      description: 'Who may read it while it is published.',
    }),
    published: t.exposeBoolean('isPublished', {
      description: 'Whether it can be reached by the audience of its visibility.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
  }),
});

registerNode(SiteType, 'site', loadSite);

export const SiteSpaceType = builder.objectRef<SiteSpaceRow>('SiteSpace').implement({
  description: 'A space as a site shows it.',
  fields: (t) => ({
    path: t.exposeString('path', { description: 'Where on the site it stands.' }),
    title: t.exposeString('title', { nullable: true, description: 'What the site calls it; null for its own title.' }),
    default: t.exposeBoolean('isDefault', { description: 'Whether it is shown first.' }),
    condition: t.exposeString('condition', {
      nullable: true,
      description: 'Expression that decides which visitors see it; null shows it to all.',
    }),
    space: t.field({
      type: SpaceType,
      nullable: true,
      description: 'What it shows; null when you may not see it.',
      resolve: (link, _args, ctx) => loadSpace(ctx, link.spaceId),
    }),
    site: t.field({
      type: SiteType,
      nullable: true,
      description: 'Where it is shown.',
      resolve: (link, _args, ctx) => loadSite(ctx, link.siteId),
    }),
  }),
});

registerNode(SiteSpaceType, 'sitespace', loadSiteSpace);
