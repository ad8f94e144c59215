import { type RawBuilder, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Visit } from '../../../platform/access/actor.ts';
import type { Services } from '../../../platform/context/services.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { sharedRead } from '../../../platform/reads/shared-reads.ts';

/** Everything that decides whether a site admits a visitor, and which parts the visitor sees. */
export interface Audience {
  /** Version of the organization's access, which changes with everything below. */
  version: string;
  organizationId: string;
  siteId: string;
  isPublished: boolean;
  visibility: Row<'site'>['visibility'];
  /** Whether claims have an effect. */
  isAdaptive: boolean;
  /** Id of the key that signs the tokens of visitors. Null as long as there is none. */
  keyId: string | null;
  /** Ids of the active share links. */
  shareLinkIds: ReadonlySet<string>;
  links: readonly Link[];
  /** Sections and external links with a condition. */
  items: readonly { id: string; condition: string }[];
  /** The visits of all audiences by site, version and claims, so that conditions are evaluated once. */
  visits: LRUCache<string, VisibleParts>;
}

/** What a site shows to a visitor. */
export type VisibleParts = Pick<Visit, 'spaceIds' | 'hiddenIds'>;

/** A space on the site. */
interface Link {
  id: string;
  spaceId: string;
  sectionId: string | null;
  condition: string | null;
}

interface AudienceRow extends Omit<Audience, 'shareLinkIds' | 'links' | 'items' | 'visits' | 'siteId'> {
  shareLinkIds: string[] | null;
  links: [id: string, spaceId: string, sectionId: string | null, condition: string | null][] | null;
  items: [id: string, condition: string][] | null;
}

/** A row of an audience takes about 250 bytes, and so do as many characters of conditions. */
const CHARACTERS_PER_ROW = 250;

/** Maximum size of all cached audiences, in rows: about 50 MB. */
const MAX_ROWS = 200_000;

/**
 * Maximum size of all cached visits, in ids: about 20 MB. Anonymous visitors can invent claims, each with a visit of
 * its own, and a site can have 2,000 spaces, so the number of visits alone would not bound the memory.
 */
const MAX_IDS = 200_000;

interface Caches {
  audiences: LRUCache<string, Audience>;
  visits: Audience['visits'];
}

const cachesByServices = new WeakMap<Services, Caches>();

/** Audiences by `<site> <known version>`, without the lists where the version is still that one. */
const readAudiences = sharedRead<AudienceRow>(async (db, keys) => {
  const names = keys.map((key) => key.split(' '));
  const [siteIds, versions] = [names.map(([siteId]) => siteId), names.map(([, version]) => version)];
  const { rows } = await sql<AudienceRow & { key: string }>`
    select w.site_id || ' ' || w.version as key, av.version, si.organization_id, si.is_published, si.visibility, si.is_adaptive,
      (select a.key_id from site_auth a where a.site_id = si.id) as key_id,
      ${unlessKnown(sql`
        select json_agg(sl.id) from share_link sl where sl.site_id = si.id and sl.is_active`)} as share_link_ids,
      ${unlessKnown(sql`
        select json_agg(json_build_array(l.id, l.space_id, l.section_id, l.condition))
        from site_space l where l.site_id = si.id`)} as links,
      ${unlessKnown(sql`
        select json_agg(json_build_array(i.id, i.condition))
        from site_item i where i.site_id = si.id and i.condition is not null`)} as items
    from unnest(${siteIds}::text[], ${versions}::text[]) as w(site_id, version)
    join site si on si.id = w.site_id join access_version av on av.organization_id = si.organization_id`.execute(db);
  return new Map(rows.map(({ key, ...row }) => [key, row]));
});

const unlessKnown = (select: RawBuilder<unknown>) => sql`case when av.version::text <> w.version then (${select}) end`;

/**
 * The audience of a site as it is now, in one statement, which requests share. What a site contains is read again only
 * after the access of its organization has changed; nothing is read if the caller has just read that its version is
 * still that of the last time. Undefined if there is no such site.
 */
export async function audienceOf(
  services: Services,
  siteId: string,
  accessVersion?: string,
): Promise<Audience | undefined> {
  const { audiences, visits } = cachesOf(services);
  const cached = audiences.get(siteId);
  if (cached !== undefined && cached.version === accessVersion) return cached;
  const key = `${siteId} ${cached?.version ?? ''}`;
  const { db, em } = services;
  const row = (await readAudiences({ services, db, em, inTransaction: false }, [key])).get(key);
  if (!row) return undefined;
  if (cached?.version === row.version) return cached;
  const audience = audienceIn(siteId, row, visits);
  audiences.set(siteId, audience);
  return audience;
}

function audienceIn(
  siteId: string,
  { shareLinkIds, links, items, ...row }: AudienceRow,
  visits: Audience['visits'],
): Audience {
  return {
    ...row,
    siteId,
    shareLinkIds: new Set(shareLinkIds),
    links: (links ?? []).map(([id, spaceId, sectionId, condition]) => ({ id, spaceId, sectionId, condition })),
    items: (items ?? []).map(([id, condition]) => ({ id, condition })),
    visits,
  };
}

function cachesOf(services: Services): Caches {
  let caches = cachesByServices.get(services);
  if (!caches) {
    caches = {
      audiences: new LRUCache({ maxSize: MAX_ROWS, sizeCalculation: rowsIn }),
      visits: new LRUCache({ maxSize: MAX_IDS, sizeCalculation: idsIn }),
    };
    cachesByServices.set(services, caches);
  }
  return caches;
}

function rowsIn({ links, items, shareLinkIds }: Audience): number {
  let characters = 0;
  for (const { condition } of [...links, ...items]) characters += condition?.length ?? 0;
  return 1 + links.length + items.length + shareLinkIds.size + Math.ceil(characters / CHARACTERS_PER_ROW);
}

/** An id takes about 100 bytes, with its place in a set. */
const idsIn = ({ spaceIds, hiddenIds }: VisibleParts, key: string): number =>
  spaceIds.size + hiddenIds.size + Math.ceil(key.length / 100);

/** The member who previews a site, how they signed in, and the organizations that their application is limited to. */
export interface Previewer {
  userId: string;
  /** A `SsoSignIn`, with the names that signed tokens have. */
  sso?: { organizationId: string; samlProviderId: string } | undefined;
  organizationIds?: readonly string[] | undefined;
}

/** Proof that admitted a visitor. */
export interface Proofs {
  shareLinkId?: string | undefined;
  /** Id of the key that has signed the visitor's claims. */
  keyId?: string | undefined;
  /** The member who previews the site. */
  preview?: Previewer | undefined;
}

/** Reason why a site does not admit a visitor. */
export type Refusal = 'unpublished' | 'share-link' | 'visitor-auth';

/**
 * Reason why a site does not admit a visitor with these proofs; undefined if it does. A proof that is no longer valid
 * is a rejection even if the site is public, because the decision that relied on it has ended.
 */
export function visitorRefusal(audience: Audience, { shareLinkId, keyId }: Proofs): Refusal | undefined {
  if (!audience.isPublished) return 'unpublished';
  const needsLink = shareLinkId !== undefined || audience.visibility === 'share-link';
  if (needsLink && !audience.shareLinkIds.has(shareLinkId ?? '')) return 'share-link';
  const needsKey = keyId !== undefined || audience.visibility === 'visitor-auth';
  return needsKey && audience.keyId !== keyId ? 'visitor-auth' : undefined;
}
