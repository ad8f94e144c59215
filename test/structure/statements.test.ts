import { type GraphQLObjectType, getNamedType, isObjectType } from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '../../src/schema.ts';
import { type Client, statementsOf } from '../client.ts';
import { sampled } from '../how-thorough.ts';
import { world } from '../world.ts';
import { furnish } from './furnish.ts';
import { listArguments, nodeTypeOf, openFields, selectField } from './selections.ts';

/**
 * Enough to tell a statement for each item from branches that miss each other. On another PostgreSQL, which has the
 * same number of statements, only the SQL of every field is of interest.
 */
const MANY = process.env.TEST_POSTGRES === undefined ? 6 : 2;
/** How many items lists are asked for: more than an organization has in which there is one of everything. */
const LISTED = MANY + 20;
/** Audits of an organization also list the tokens that its member made for the other organizations. */
const LISTED_OF = new Map([['auditEvents', 100]]);
const { admin, outsider, organizationId, otherOrganizationId } = await world();

/** An organization with so many of everything, each with things of its own below it. */
async function organizationWith(count: number): Promise<string> {
  const { organization } = await outsider.mutate(
    'createOrganization',
    { title: `With ${count}` },
    'organization { id }',
  );
  for (let made = 0; made < count; made++) await furnish(outsider, organization.id);
  return organization.id;
}

const one = await organizationWith(1);
const many = await organizationWith(MANY);
for (let made = 2; made < MANY; made++) await organizationWith(1);
await furnish(outsider, otherOrganizationId);
await furnish(admin, organizationId);

type Measured = ReturnType<typeof listsOf>[number];

/** Lists of a type, each with a field of its items: `spaces.urls`. */
function listsOf(type: GraphQLObjectType) {
  return openFields(type).flatMap((list) => {
    const nodes = nodeTypeOf(list.type);
    const node = nodes && getNamedType(nodes);
    return isObjectType(node)
      ? openFields(node).map((field) => ({ name: `${list.name}.${field.name}`, list, field }))
      : [];
  });
}

const objectType = (name: string) => schema.getType(name) as GraphQLObjectType; // asked for by names of object types
const DEPTH = 2;

/**
 * Branches of a query that load the same kind of thing meet in one batch, or miss each other by a tick of the event
 * loop: more of them on a busy machine, where long work pauses more often. A statement for each item would be at least
 * `MANY` - 1 more.
 */
const MISSED = 4;
const TRIES = 4;

/**
 * Expects as many statements for many items as for few. Both are asked again where that seems untrue, since either can
 * miss a batch.
 */
async function expectAsMany(first: Counts, again: () => Promise<Counts>): Promise<void> {
  let [few, lots] = first;
  for (let tries = 1; tries < TRIES && lots > few + MISSED; tries++) {
    const [ofFew, ofLots] = await again();
    few = Math.max(few, ofFew);
    lots = Math.min(lots, ofLots);
  }
  expect(lots).toBeLessThanOrEqual(few + MISSED);
}

/** Statements for few and for many items. */
type Counts = [few: number, lots: number];

async function measured(client: Client, [before, after]: [string, string], { list, field }: Measured) {
  const items = `${list.name}(${listArguments(list, LISTED_OF.get(list.name) ?? LISTED)}) { nodes { id ${selectField(field, DEPTH)} } }`;
  const query = `query Measured { ${before} ${items} ${after} }`;
  const answer = await client.graphqlRaw(query);
  expect(answer.body.errors).toBeUndefined();
  return { statements: statementsOf(answer), items: itemsOf(answer.body.data, list.name) };
}

/** How many items the first list of that name has. */
function itemsOf(data: Record<string, unknown>, list: string): number {
  const [below] = Object.values(data) as Record<string, { nodes: unknown[] }>[]; // as it was asked for
  return below?.[list]?.nodes.length ?? 0;
}

const lists = listsOf(objectType('Organization'));

test.each(process.env.TEST_POSTGRES === undefined ? sampled(lists, 3) : lists)(
  'one organization: $name costs as many statements for many as for one',
  async (what) => {
    const ask = (id: string) => measured(outsider, [`organization(id: "${id}") {`, '}'], what);
    const [few, lots] = [await ask(one), await ask(many)];
    // Questions with random words can be alike, which joins some of the clusters.
    expect(lots.items).toBeGreaterThanOrEqual(what.list.name === 'issuesClusters' ? MANY / 2 : MANY);
    expect(few.items).toBeGreaterThanOrEqual(1);
    // One organization alone records more events than that.
    if (what.list.name !== 'events') expect(few.items).toBeLessThan(lots.items);
    const again = async (): Promise<Counts> => [(await ask(one)).statements, (await ask(many)).statements];
    await expectAsMany([few.statements, lots.statements], again);
  },
);

test.each(listsOf(objectType('User')).filter(({ list }) => list.name === 'organizations'))(
  'the viewer: $name costs as many statements for many as for one',
  async (what) => {
    const ask = (client: Client) => measured(client, ['viewer {', '}'], what);
    const [few, lots] = [await ask(admin), await ask(outsider)];
    expect([few.items, lots.items]).toEqual([1, MANY + 1]);
    const again = async (): Promise<Counts> => [(await ask(admin)).statements, (await ask(outsider)).statements];
    await expectAsMany([few.statements, lots.statements], again);
  },
);

test('REST lists cost as many statements for many as for one', async () => {
  // Lists that end on their first page are not counted, so all must.
  for (const list of ['spaces?limit=1000', 'collections?limit=1000', 'change-requests?status=draft&limit=1000']) {
    const ask = (id: string) => outsider.get(`/v1/orgs/${id}/${list}`);
    const [few, lots] = [await ask(one), await ask(many)];
    expect([list, few.status, lots.status]).toEqual([list, 200, 200]);
    expect(lots.body.items.length).toBeGreaterThanOrEqual(MANY);
    expect([list, statementsOf(lots)]).toEqual([list, statementsOf(few)]);
  }
});
