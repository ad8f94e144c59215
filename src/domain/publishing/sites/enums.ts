import { namedEnum } from '../../../platform/shapes/named-enum.ts';

export const siteVisibility = namedEnum('SiteVisibility', 'Who can read a published site.', {
  public: 'Anyone. Search engines can index the site.',
  unlisted: 'Anyone who knows the URL. Search engines are asked not to index the site.',
  'share-link': 'Anyone with a share link. Its URL contains a secret key.',
  'visitor-auth': 'Visitors who are authenticated by a JWT of the site.',
});

export const siteOrderField = namedEnum('SiteOrderField', 'Field that lists of sites are sorted by.', {
  title: 'The title, ignoring case.',
  createdAt: 'Time of creation.',
  updatedAt: 'Time of the last change of the settings of the site.',
});

export const siteType = namedEnum('SiteType', 'Plan of a site. It does not limit any feature.', {
  basic: 'The basic plan (default).',
  premium: 'The premium plan.',
  ultimate: 'The ultimate plan.',
  sponsored: 'A sponsored site.',
  'legacy-basic': 'The basic plan of earlier versions.',
  'legacy-premium': 'The premium plan of earlier versions.',
});

export const agentsContext = namedEnum('SiteAgentsContext', 'Whether agents can use the content of a site.', {
  included: 'Agents can use the content.',
  excluded: 'Agents cannot use the content.',
});

export const siteFeatureKey = namedEnum('SiteFeatureKey', 'A feature that a site uses.', {
  'sites-sections': 'The site has sections.',
  'sites-multivariant-site': 'The site has several spaces at one place.',
  'sites-adaptive-content': 'Content depends on claims of visitors.',
  'sites-custom-domain': 'The site has a custom hostname.',
  'sites-custom-subdirectory': 'A proxy serves the site in a subdirectory.',
  'sites-public-visibility': 'Anyone can read the site, and search engines can index it.',
  'sites-unlisted-visibility': 'Anyone who knows the URL can read the site.',
  'sites-share-links': 'The site can be read with share links.',
  'sites-visitor-authentication': 'Visitors are authenticated by a JWT of the site.',
});
