import { namedEnum } from '../../../platform/named-enum.ts';

export const siteVisibility = namedEnum('SiteVisibility', 'Who can read a published site.', {
  public: 'Everyone. Search engines may index the site.',
  unlisted: 'Everyone who knows the URL. Search engines are asked not to index the site.',
  'share-link': 'Everyone who has a URL with a secret key.',
  'visitor-auth': 'Visitors who are authenticated by a JWT.',
});
