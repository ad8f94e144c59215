import { namedEnum } from '../../../platform/named-enum.ts';

export const siteVisibility = namedEnum('SiteVisibility', 'Who can read a published site.', {
  public: 'Anyone. Search engines can index the site.',
  unlisted: 'Anyone who knows the URL. Search engines are asked not to index the site.',
  'share-link': 'Anyone with a share link, whose URL contains a secret key.',
  'visitor-auth': 'Visitors who are authenticated by a JWT of the site.',
});
