import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { LinkCounts } from '../../../migrations/2026-11-22-link-counts.ts';
import { OpenApi } from '../../../migrations/2026-11-22-openapi.ts';
import { RECOUNT } from '../../../migrations/2026-11-23-computed-page-links.ts';
import { REMOVE_TAGS } from '../../../migrations/2026-11-23-links-without-tags.ts';
import { countLinksAround } from '../../../src/domain/store/link-counts/index.ts';
import { newId } from '../../../src/platform/ids/ids.ts';
import { inTransaction } from '../../../src/platform/operation/transact.ts';
import { lawRuns } from '../../how-thorough.ts';
import { sentStatements } from '../../sent-statements.ts';
import { world } from '../../world.ts';
import { contextOf } from '../files/content.ts';

const here = await world();
const { admin, organizationId, app } = here;
const { db } = app.services;

const leaf = (text: string) => ({ object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] });
const block = (type: string, ...nodes: unknown[]) => ({ object: 'block', type, data: {}, nodes });

/** A body with a heading, which is an anchor, and links. */
const bodyOf = (heading: string, refs: unknown[]) => ({
  document: {
    object: 'document',
    data: {},
    nodes: [
      block('heading-1', leaf(heading)),
      ...refs.map((ref) =>
        block('paragraph', { object: 'inline', type: 'link', data: { ref }, nodes: [leaf('there')] }),
      ),
    ],
  },
});

const aReference = fc.record({
  kind: fc.constantFrom(
    'page',
    'anchor',
    'own anchor',
    'reusable-content',
    'url',
    'far page',
    'far gone',
    'space',
    'openapi',
  ),
  target: fc.nat(9),
  anchor: fc.constantFrom('one', 'two'),
});
const aBody = fc.record({
  heading: fc.constantFrom('One', 'Two'),
  refs: fc.array(aReference, { maxLength: 4 }),
});
const anEdit = fc.record({
  kind: fc.constantFrom(
    'insert',
    'insert',
    'insert link',
    'insert content',
    'write',
    'write',
    'delete',
    'delete content',
    'move',
  ),
  page: fc.nat(9),
  parent: fc.nat(9),
  ref: aReference,
  body: aBody,
});

/** What references can name: everything that the space has or had. */
interface Known {
  pages: string[];
  contents: string[];
  far: string;
  farPage: string;
}

function refOf({ kind, target, anchor }: { kind: string; target: number; anchor: string }, known: Known) {
  const at = (ids: string[]) => ids[target % (ids.length || 1)] ?? newId('page');
  if (kind === 'page') return { kind, page: at(known.pages) };
  if (kind === 'anchor') return { kind, anchor, page: at(known.pages) };
  if (kind === 'own anchor') return { kind: 'anchor', anchor };
  if (kind === 'reusable-content') return { kind, reusableContent: at(known.contents) };
  if (kind === 'url') return { kind, url: 'https://example.com/' };
  if (kind === 'far page') return { kind: 'page', page: known.farPage, space: known.far };
  if (kind === 'far gone') return { kind: 'page', page: at(known.pages), space: known.far };
  if (kind === 'space') return { kind, space: known.far };
  return { kind: 'openapi', spec: 'petstore' };
}

function changeOf(edit: typeof anEdit extends fc.Arbitrary<infer Edit> ? Edit : never, known: Known) {
  const document = bodyOf(
    edit.body.heading,
    edit.body.refs.map((ref) => refOf(ref, known)),
  );
  const at = (ids: string[], place: number) => ids[place % (ids.length || 1)] ?? newId('page');
  const [kind, pageId] = [known.pages.length === 0 ? 'insert' : edit.kind, at(known.pages, edit.page)];
  const parentId = edit.parent < 3 || known.pages.length === 0 ? null : at(known.pages, edit.parent);
  if (kind === 'insert') return { insertPage: { title: 'Page', parentId, document } };
  if (kind === 'insert link')
    return { insertPage: { title: 'Link', kind: 'LINK', parentId, target: refOf(edit.ref, known) } };
  if (kind === 'insert content') return { insertReusableContent: { title: 'Content', document } };
  if (kind === 'write') return { updatePage: { pageId, document } };
  if (kind === 'delete') return { deletePage: { pageId } };
  if (kind === 'delete content') return { deleteReusableContent: { reusableContentId: at(known.contents, edit.page) } };
  return { movePage: { pageId, parentId } };
}

const STATS = `query($id: ID!, $after: String) { space(id: $id) { links(first: 100, after: $after) {
  stats { total broken { total } } nodes { status } pageInfo { hasNextPage endCursor } } } }`;

/** The counts of a space, and the same by reading every link. */
async function countsOf(id: string) {
  const read = async (after?: string) => (await admin.graphql(STATS, { id, after })).space.links;
  const first = await read();
  const statuses: string[] = [];
  for (let page = first; ; page = await read(page.pageInfo.endCursor)) {
    statuses.push(...page.nodes.map(({ status }: { status: string }) => status));
    if (!page.pageInfo.hasNextPage) break;
  }
  const broken = statuses.filter((status) => status === 'BROKEN').length;
  return {
    counted: { total: first.stats.total, broken: first.stats.broken.total },
    read: { total: statuses.length, broken },
  };
}

async function expectEqual(id: string): Promise<number> {
  const { counted, read } = await countsOf(id);
  expect(counted).toEqual(read);
  return read.total;
}

const createSpace = async (title: string): Promise<string> =>
  (await admin.mutate('createSpace', { organizationId, title, empty: true }, 'space { id }')).space.id;

test('whatever is edited, the counters of links are what reading every link gives', async () => {
  const far = await createSpace('Far');
  const insertion = { spaceId: far, changes: [{ insertPage: { title: 'Far' } }] };
  const [farPage] = (await admin.mutate('updateSpaceContent', insertion, 'pageIds')).pageIds;
  let links = 0;
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(anEdit, { minLength: 1, maxLength: 2 }), { minLength: 4, maxLength: 10 }),
      async (rounds) => {
        const spaceId = await createSpace('Law');
        const known: Known = { pages: [], contents: [], far, farPage };
        for (const round of rounds) {
          const changes = round.map((edit) => changeOf(edit, known));
          // Some are rejected, for example a page below itself or a page that was deleted: then nothing may change.
          const result = await admin
            .mutate(
              'updateSpaceContent',
              { spaceId, changes },
              'pageIds insertedReusableContents { reusableContentId }',
            )
            .catch(() => undefined);
          if (result) accepted++;
          known.pages.push(...(result?.pageIds ?? []).filter((id: string) => !known.pages.includes(id)));
          known.contents.push(
            ...(result?.insertedReusableContents ?? []).map(
              (content: { reusableContentId: string }) => content.reusableContentId,
            ),
          );
        }
        links += await expectEqual(spaceId);
        const copy = await admin.mutate('duplicateSpace', { spaceId }, 'space { id }');
        await expectEqual(copy.space.id);
      },
    ),
    { numRuns: lawRuns(8), seed: 11 },
  );
  expect(accepted).toBeGreaterThan(30);
  expect(links).toBeGreaterThan(20);
}, 120_000);

test('a page that is deleted and comes back breaks and repairs the links of others, in content and in menus', async () => {
  const spaceId = await createSpace('Back');
  const edit = async (...changes: unknown[]) =>
    await admin.mutate('updateSpaceContent', { spaceId, changes }, 'pageIds revision { id }');
  const [target] = (await edit({ insertPage: { title: 'Target', document: bodyOf('One', []) } })).pageIds;
  const refs = [
    { kind: 'page', page: target },
    { kind: 'anchor', anchor: 'one', page: target },
  ];
  const { revision } = await edit(
    { insertPage: { title: 'Source', document: bodyOf('One', refs) } },
    { insertPage: { title: 'Menu', kind: 'LINK', target: refs[0] } },
    { insertReusableContent: { title: 'Content', document: bodyOf('One', refs) } },
  );
  expect((await countsOf(spaceId)).counted).toEqual({ total: 5, broken: 0 });
  await edit({ updatePage: { pageId: target, document: bodyOf('Other', []) } });
  expect((await countsOf(spaceId)).counted).toEqual({ total: 5, broken: 2 });
  await edit({ deletePage: { pageId: target } });
  expect((await countsOf(spaceId)).counted).toEqual({ total: 5, broken: 5 });
  await edit({ revertPage: { pageId: target, revisionId: revision.id } });
  expect((await countsOf(spaceId)).counted).toEqual({ total: 5, broken: 0 });
});

const LINKING = 20;
const LINKS = 30;

/** A page whose anchor others link to, which also have links to themselves. */
async function linkedPage(title: string) {
  const spaceId = await createSpace(title);
  const edit = (...changes: unknown[]) => admin.mutate('updateSpaceContent', { spaceId, changes }, 'pageIds');
  const [pageId] = (await edit({ insertPage: { title: 'Glossary', document: bodyOf('One', []) } })).pageIds;
  const own = Array.from({ length: LINKS - 1 }, () => ({ kind: 'anchor', anchor: 'one' }));
  const document = bodyOf('One', [{ kind: 'anchor', anchor: 'one', page: pageId }, ...own]);
  await edit(...Array.from({ length: LINKING }, (_, i) => ({ insertPage: { title: `Linking ${i}`, document } })));
  return { spaceId, pageId, edit };
}

test('an edit that changes no anchors counts no links of other pages', async () => {
  const { spaceId, pageId, edit } = await linkedPage('Same anchors');
  const counted = async (document: unknown) => {
    const sent = sentStatements();
    await edit({ updatePage: { pageId, document } });
    return Math.max(...sent.flatMap(({ text, rows }) => (text.includes('insert into head_link_count') ? rows : [])));
  };
  expect(await counted(bodyOf('One', [{ kind: 'url', url: 'https://example.com/' }]))).toBe(1);
  expect(await counted(bodyOf('Two', []))).toBe(1 + LINKING);
  expect((await countsOf(spaceId)).counted).toEqual({ total: LINKING * LINKS, broken: LINKING });
});

test('of pages that link to an anchor that changes, only these links are looked up', async () => {
  const { spaceId, pageId } = await linkedPage('Other anchors');
  const lookups = await inTransaction(contextOf(here, admin), async (inside) => {
    const reads = async () => {
      const { rows } = await sql<{ reads: string }>`
        select coalesce(seq_scan, 0) + coalesce(idx_scan, 0) as reads from pg_stat_xact_user_tables where relname = 'document'
      `.execute(inside.db);
      return Number(rows[0]?.reads ?? 0);
    };
    const before = await reads();
    const changes = { holders: { pages: [], contents: [] }, targets: [], anchored: [pageId] };
    await countLinksAround(inside, { organizationId, spaceId }, changes, async () => {});
    return (await reads()) - before;
  });
  expect(lookups).toBeGreaterThanOrEqual(2 * LINKING);
  expect(lookups).toBeLessThan(4 * LINKING);
  await expectEqual(spaceId);
});

test('tags are not links, and are no longer counted as broken ones', async () => {
  const spaceId = await createSpace('Tagged');
  const document = bodyOf('One', [
    { kind: 'tag', tag: 'beta' },
    { kind: 'space', space: spaceId },
  ]);
  await admin.mutate(
    'updateSpaceContent',
    { spaceId, changes: [{ insertPage: { title: 'Page', document } }] },
    'space { id }',
  );
  const plain = { total: 1, broken: 0 };
  expect(await countsOf(spaceId)).toEqual({ counted: plain, read: plain });
  // As it was stored formerly.
  await sql`insert into document_reference (organization_id, document_hash, position, kind, relation, ref)
    select organization_id, document_hash, 9, 'tag', 'reference', '{"kind":"tag","tag":"beta"}'
    from head_page where space_id = ${spaceId} and document_hash is not null`.execute(db);
  await sql`insert into head_link_count (space_id, organization_id, total, broken)
    values (${spaceId}, ${organizationId}, 1, 1)`.execute(db);
  expect((await countsOf(spaceId)).counted).toEqual({ total: 2, broken: 1 });
  await sql.raw(REMOVE_TAGS).execute(db);
  await sql.raw(REMOVE_TAGS).execute(db); // finds nothing to remove
  expect(await countsOf(spaceId)).toEqual({ counted: plain, read: plain });
});

test('the migration counts the links of existing content', async () => {
  const counters = async () => ({
    inside: await db.selectFrom('head_link_count').where('total', '>', 0).selectAll().orderBy('spaceId').execute(),
    outside: await db
      .selectFrom('head_outside_link')
      .where('total', '>', 0)
      .selectAll()
      .orderBy('spaceId')
      .orderBy('targetKey')
      .execute(),
  });
  const kept = await counters();
  expect(kept.inside.length).toBeGreaterThan(5);
  const migration = new LinkCounts(app.services.em.getDriver(), app.services.em.config);
  migration.up();
  const later = new OpenApi(app.services.em.getDriver(), app.services.em.config);
  later.up();
  const recounts = later.getQueries().filter((statement) => String(statement).startsWith('with moved'));
  expect(recounts).toHaveLength(1);
  const statements = [...migration.getQueries(), ...recounts].map(String);
  await db.deleteFrom('head_link_count').execute();
  await db.deleteFrom('head_outside_link').execute();
  await db.transaction().execute(async (transaction) => {
    for (const text of statements.filter((statement) => /^(insert|create temporary|with moved)/.test(statement)))
      await sql.raw(text).execute(transaction);
    await sql.raw(RECOUNT).execute(transaction);
    await sql.raw(RECOUNT).execute(transaction); // finds nothing to move
  });
  expect(await counters()).toEqual(kept);
});
