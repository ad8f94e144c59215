import type { Database } from '../../../src/platform/database/tables.ts';
import { newId } from '../../../src/platform/ids/ids.ts';
import { contentOf } from './content.ts';
import { isConditional, type Link, type Provider, type Scene, type Target } from './walk.ts';

export interface BuiltScene {
  organizationId: string;
  members: string[];
  /** The SAML providers that give roles. There are no rows of them. */
  providers: [string, string];
  space: string[];
  collection: string[];
  site: string[];
  /** The links of each site. */
  links: string[][];
}

/** Writes a scene as an organization of its own. */
export async function buildScene(db: Database, scene: Scene): Promise<BuiltScene> {
  const organizationId = newId('org');
  const mergeRules = { type: 'rules' as const, rules: [] };
  await db
    .insertInto('organization')
    .values({ id: organizationId, title: 'Scene', mergeRules, sso: scene.sso })
    .execute();
  const made = contentOf(db, organizationId);
  const members = scene.members.map(() => newId('user'));
  const providers: [string, string] = [newId('saml'), newId('saml')];
  const giver = (provider: Provider) => (provider === null ? null : providers[provider]);
  for (const [index, { role, provider, isDisabled, isBreakGlass }] of scene.members.entries()) {
    const membership = { id: newId('member'), organizationId, userId: members[index] ?? '' };
    await db
      .insertInto('membership')
      .values({ ...membership, role, roleProviderId: giver(provider), isDisabled, isBreakGlass })
      .execute();
  }
  const teams = await eachOf(scene.teams, async (team) => {
    const teamId = await made.team(team.map(({ member }) => members[member] ?? ''));
    for (const { member, provider } of team) {
      await db
        .updateTable('team_member')
        .set({ samlProviderId: giver(provider) })
        .where('teamId', '=', teamId)
        .where('userId', '=', members[member] ?? '')
        .execute();
    }
    return teamId;
  });
  const collection: string[] = [];
  for (const { parent, role } of scene.collections) {
    collection.push(
      await made.collection({ role, ...(parent === null ? {} : { parentId: collection[parent] ?? '' }) }),
    );
  }
  const space = await eachOf(scene.spaces, ({ parent, role }) =>
    made.space({ role, ...(parent === null ? {} : { parentId: collection[parent] ?? '' }) }),
  );
  const placed: string[][] = [];
  const site = await eachOf(scene.sites, async ({ role, links, isPublished, visibility }) => {
    const siteId = await made.site({ role, isPublished, visibility });
    placed.push(await eachOf(links, (link) => made.link(siteId, space[link.space] ?? '', optionsOf(link))));
    return siteId;
  });
  const idOf = ({ kind, index }: Target) => ({ space, collection, site })[kind][index] ?? '';
  for (const { target, grantee, role } of scene.grants) {
    const granteeId = (grantee.kind === 'member' ? members : teams)[grantee.index] ?? '';
    await db
      .insertInto('grant')
      .values({ targetId: idOf(target), granteeId, organizationId, role })
      .execute();
  }
  return { organizationId, members, providers, space, collection, site, links: placed };
}

const optionsOf = (link: Link) => ({
  isInSection: link.how.startsWith('in a section'),
  ...(isConditional(link) && { condition: 'visitor.claims.isBeta' }),
});

async function eachOf<Item, Made>(items: Item[], make: (item: Item) => Promise<Made>): Promise<Made[]> {
  const made: Made[] = [];
  for (const item of items) made.push(await make(item));
  return made;
}
