import { namedEnum } from '../../../platform/shapes/named-enum.ts';

export const authBackend = namedEnum('SiteAuthBackend', 'Service that authenticates the visitors of a site.', {
  custom: 'Your own page. It signs tokens with the key of the site.',
  integration: 'An integration. It signs tokens with the key of the site.',
});
