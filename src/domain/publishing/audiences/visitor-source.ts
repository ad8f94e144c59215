import type { VisitorSource } from '../../../platform/access/visitors.ts';
import { audienceOf, visitorRefusal } from './audience.ts';
import { NO_CLAIMS } from './claims.ts';
import { hashShareKey } from './share-key.ts';
import { visitorOfSiteToken } from './site-token.ts';
import { visitOf } from './visit.ts';

/** How the sites of this service admit visitors who present a site token or share keys to the API. */
export const siteVisitors: VisitorSource = {
  byToken: visitorOfSiteToken,
  async byShareKeys(services, keys) {
    const hashes = keys.map((key) => ({ key, keyHash: hashShareKey(key) }));
    const links = await services.db
      .selectFrom('share_link')
      .where(
        'keyHash',
        'in',
        hashes.map(({ keyHash }) => keyHash),
      )
      .select(['id', 'siteId', 'keyHash'])
      .execute();
    const visits = links.map(async ({ id, siteId, keyHash }) => {
      const audience = await audienceOf(services, siteId);
      if (!audience || visitorRefusal(audience, { shareLinkId: id })) return [];
      const shareKey = hashes.find((hashed) => hashed.keyHash.equals(keyHash))?.key;
      return [await visitOf(audience, NO_CLAIMS, shareKey)];
    });
    return (await Promise.all(visits)).flat();
  },
};
