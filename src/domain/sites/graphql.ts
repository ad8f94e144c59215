import { builder } from '../../platform/graphql/builder.ts';
import { enumType } from '../../platform/graphql/enums.ts';
import { Node, registerNode } from '../../platform/graphql/node.ts';
import { namedEnum } from '../../platform/named-enum.ts';
import { loadSite, type SiteRow } from './load.ts';

const siteVisibility = namedEnum('SiteVisibility', 'Who may read a published site.', {
  public: 'Anyone; search engines may index it.',
  unlisted: 'Anyone who has the address; search engines are asked not to index it.',
  'share-link': 'Anyone with a secret key in the address.',
  'visitor-auth': 'Anyone whom a JWT of the site authenticates.',
});

export const SiteType = builder.objectRef<SiteRow>('Site').implement({
  description: 'A published set of spaces.',
  interfaces: [Node],
  fields: (t) => ({
    title: t.exposeString('title', { description: 'Its name.' }),
    visibility: t.expose('visibility', {
      type: enumType(siteVisibility),
      description: 'Who may read it while it is published.',
    }),
    published: t.exposeBoolean('is_published', {
      description: 'Whether it can be reached by the audience of its visibility.',
    }),
    createdAt: t.expose('created_at', { type: 'DateTime', description: 'When it was made.' }),
  }),
});

registerNode('site', loadSite);
