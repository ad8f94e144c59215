import { createRequire } from 'node:module';
import { getNamedType, isObjectType } from 'graphql';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { schema } from '../../src/schema.ts';
import { signIn, stage, stories } from './chromium.ts';
import { type ShownView, showcase } from './showcase.ts';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

const here = await stage();
const { visit, admin, organizationId } = here;
const { views, ids, spaceId, changeRequestId } = await showcase(here);

/** Both color schemes at the widths of a large and a small screen. */
const LOOKS = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [1440, 390].map((width) => ({ colorScheme, width })),
);

interface Finding {
  id: string;
  nodes: { target: unknown; failureSummary: string }[];
}

/** What axe finds in a view, in all looks. */
async function findingsIn(page: Page): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const { colorScheme, width } of LOOKS) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    const { violations } = await page.evaluate<{ violations: Finding[] }>('axe.run()');
    for (const { id, nodes } of violations) {
      found.push([colorScheme, width, id, nodes.map(({ target, failureSummary }) => [target, failureSummary])]);
    }
  }
  return found;
}

/** Objects with an address for people, of all types. */
const ADDRESSED = `query($organization: ID!, $collection: ID!, $site: ID!, $spec: String!, $cluster: ID!, $space: ID!, $changeRequest: ID!, $translation: ID!) {
  organization(id: $organization) {
    __typename title urls { app }
    openApiSpec(slug: $spec) { __typename urls { app } }
    issuesCluster(id: $cluster) {
      __typename title: label urls { app }
      pages(first: 1) { nodes { __typename title urls { app } } }
    }
  }
  collection(id: $collection) { __typename title urls { app } }
  site(id: $site, organizationId: $organization) { __typename title urls { app } }
  space(id: $space) {
    __typename urls { app }
    allPages(first: 200) { nodes { __typename title urls { app } } }
    revision { __typename urls { app } }
    search(query: "tea", first: 1) { nodes { __typename title urls { app } sections { __typename urls { app } } } }
  }
  changeRequest(id: $changeRequest) {
    __typename title: subject urls { app }
    allPages(first: 1) { nodes { __typename title urls { app } } }
  }
  node(id: $translation) { ... on Translation { __typename urls { app } } }
}`;

interface Addressed {
  __typename: string;
  title?: string;
  urls: { app: string };
}

/** The objects of an answer that have an address, wherever they are. */
const addressedIn = (value: unknown): Addressed[] => {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'urls' in value ? [value as Addressed] : []; // selected with the others
  return [...own, ...Object.values(value).flatMap(addressedIn)];
};

/** The types of the schema that have one. */
const typesWithAddress = () =>
  Object.values(schema.getTypeMap()).flatMap((type) => {
    const urls = isObjectType(type) ? getNamedType(type.getFields().urls?.type) : undefined;
    return isObjectType(urls) && 'app' in urls.getFields() ? [type.name] : [];
  });

stories('the views of the application', () => {
  let page: Page;
  let faults: string[];

  beforeAll(async () => {
    ({ page, faults } = await visit('/sign-in'));
    // Developer tools put it in, as no script of the page could: the Content Security Policy stays in force.
    await page.context().addInitScript({ path: AXE });
    await signIn(page, admin.token);
  });

  const open = async ({ path, title, seen }: ShownView) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${here.url}/app${path}`);
    await page.getByRole('heading', { name: title, level: 1 }).waitFor();
    if (seen !== undefined) await page.getByText(seen).first().waitFor();
    await page.locator('.loading').waitFor({ state: 'detached' });
  };

  test.each(Object.entries(views))('axe finds nothing in a view: %s', async (_name, view) => {
    await open(view);
    expect(await findingsIn(page)).toEqual([]);
  });

  test('titles of sections may have any name, and links lead to them', async () => {
    await open(views['page with comments']);
    for (const name of ['Main', 'Elsewhere']) {
      await page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name }).click();
      const heading = page.getByRole('heading', { name, level: 2 });
      await heading.waitFor();
      expect(await heading.getAttribute('id')).toBe(new URL(page.url()).hash.slice(1));
      expect(await page.locator(`[id="${name.toLowerCase()}"]`).count()).toBe(1);
    }
    // A fragment that is no encoding names nothing, and the page is shown all the same.
    await page.goto(page.url().replace(/#.*/, '#100%'));
    await page.reload();
    await page.getByRole('heading', { name: 'Main', level: 2 }).waitFor();
    expect(faults).toEqual([]);
  });

  test('code has the colors of its language', async () => {
    await open(views['page with comments']);
    for (const [text, kind] of [
      ['const', 'keyword'],
      ['// for two', 'comment'],
    ] as const) {
      const part = page.locator('code').getByText(text, { exact: true });
      await part.waitFor();
      expect(await part.getAttribute('style')).toContain(`--shiki-token-${kind}`);
    }
  });

  test('axe finds nothing while search results are shown', async () => {
    await open(views.page);
    await page.getByRole('combobox').pressSequentially('tea');
    await page.getByRole('option').first().waitFor();
    await page.getByRole('combobox').press('ArrowDown');
    expect(await findingsIn(page)).toEqual([]);
  });

  test('axe finds nothing in the pages of a space on a small screen, and in a text of the author’s own', async () => {
    await open(views.conflicts);
    await page.getByLabel('A text of your own').first().check();
    await page.setViewportSize({ width: 390, height: 900 });
    await page.getByRole('button', { name: 'Contents' }).click();
    await page.getByRole('treeitem').first().waitFor();
    expect(await findingsIn(page)).toEqual([]);
  });

  test('axe finds nothing where strangers are asked to sign in', async () => {
    const stranger = await visit(`/orgs/${organizationId}`);
    await stranger.page.context().addInitScript({ path: AXE });
    await stranger.page.reload();
    await stranger.page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
    expect(await findingsIn(stranger.page)).toEqual([]);
  });

  test('the address of each kind of resource (`urls.app`) leads to a view with its title', async () => {
    const variables = {
      organization: organizationId,
      collection: ids.collection,
      site: ids.site,
      spec: ids.specSlug,
      cluster: ids.cluster,
      space: spaceId,
      changeRequest: changeRequestId,
      translation: ids.translation,
    };
    const addressed = addressedIn(await admin.graphql(ADDRESSED, variables));
    const byType = new Map(addressed.map((each) => [each.__typename, each]));
    expect([...byType.keys()].sort()).toEqual(typesWithAddress().sort());
    for (const { title = '', urls } of byType.values()) {
      await page.goto(urls.app);
      await page.getByRole('heading', { level: 1 }).filter({ hasText: title }).waitFor();
      expect(await page.getByRole('alert').count()).toBe(0);
    }
    expect(faults).toEqual([]);
  });
});
