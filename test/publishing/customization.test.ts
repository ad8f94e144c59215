import { beforeEach, expect, test } from 'vitest';
import type { Client } from '../client.ts';
import { world } from '../world.ts';
import { siteWith, spaceTitled } from './arrange.ts';
import { publishedSite, show } from './reader-world.ts';
import { visitorOf, visitorToken } from './visiting.ts';

const { app, url, creator, editor, reader, outsider, anonymous, organizationId, otherOrganizationId, grant } =
  await world();
const [guides, api] = [
  await spaceTitled(creator, organizationId, 'Guides'),
  await spaceTitled(creator, organizationId, 'API'),
];

let site = { id: '', path: '' };
let siteSpaceId = '';
beforeEach(async () => {
  site = await siteWith(creator, organizationId, { title: 'Docs', spaces: [guides, api] });
  [{ id: siteSpaceId }] = (await creator.get(`${site.path}/site-spaces`)).body.items;
});

const at = (path: string) => `${site.path}/${path}`;
const customization = async (path = 'customization') => (await creator.get(at(path))).body;
const ofSpace = () => `site-spaces/${siteSpaceId}/customization`;

test('a new site has the defaults, in the shapes of both ages of clients', async () => {
  const { body } = await creator.restAs('getSiteCustomizationById', 'GET', at('customization'), undefined, {
    beyond: true,
  });
  expect(body).toMatchObject({
    title: 'Docs',
    styling: {
      theme: 'clean',
      primaryColor: { light: '#346ddb', dark: '#346ddb' },
      font: 'Inter',
      codeTheme: { default: { light: 'default-light', dark: 'default-dark' } },
    },
    internationalization: { locale: 'en' },
    favicon: {},
    header: { preset: 'default', links: [] },
    themes: { default: 'light', toggeable: true },
    pdf: { enabled: true },
    git: { showEditLink: false },
    ai: { mode: 'none' },
    pageActions: { externalAI: true, markdown: true, mcp: true, items: ['external-ai', 'markdown', 'mcp', 'pdf'] },
    pagination: { enabled: true },
    trademark: { enabled: false },
    insights: { trackingCookie: true },
    socialAccounts: [],
  });
  const data = await creator.graphql(`query ($id: ID!) { site(id: $id) { customization } }`, { id: site.id });
  expect(data.site.customization).toEqual(body);
});

test('replaces the customization, with title and favicon of the site, and defaults for the rest', async () => {
  const given = {
    title: 'Acme Docs',
    styling: { theme: 'bold', primaryColor: { light: '#fff', dark: '#000000' } },
    favicon: { icon: { light: 'https://acme.com/a.png', dark: 'https://acme.com/b.png' } },
    header: { links: [{ title: 'Blog', to: { kind: 'url', url: 'https://acme.com/blog' }, links: [] }] },
    footer: { copyright: '© Acme', groups: [{ title: 'More', links: [] }] },
    announcement: { enabled: true, message: 'New!', style: 'info' },
    ai: { mode: 'assistant' },
    unknown: { member: true },
  };
  const answer = await creator.restAs('updateSiteCustomizationById', 'PUT', at('customization'), given, {
    beyond: true,
  });
  const { unknown: _, ai: __, ...kept } = given;
  expect([answer.status, answer.body]).toMatchObject([200, { ...kept, ai: { mode: 'none' }, pdf: { enabled: true } }]);
  expect(answer.body).not.toHaveProperty('unknown');
  expect((await customization('customization?unmasked=true')).ai).toEqual({ mode: 'assistant' });
  expect((await creator.get(site.path)).body).toMatchObject({ title: 'Acme Docs', icon: given.favicon });
  const cleared = await creator.mutate(
    'updateSiteCustomization',
    { siteId: site.id, customization: {} },
    'site { title customization icon { emoji light } }',
  );
  expect(cleared.site).toMatchObject({
    title: 'Acme Docs',
    icon: { emoji: null, light: null },
    customization: { styling: { theme: 'clean' }, favicon: {} },
  });
  expect(cleared.site.customization).not.toHaveProperty('announcement');
});

test('either form of the page actions sets both', async () => {
  const put = async (change: Record<string, unknown>) => {
    const { body } = await creator.put(at('customization'), { ...(await customization()), ...change });
    return [body.pageActions.items, body.pageActions.mcp, body.pdf.enabled, body.git.showEditLink];
  };
  expect(await put({ git: { showEditLink: true }, pdf: { enabled: false } })).toEqual([
    ['external-ai', 'markdown', 'mcp', 'git'],
    true,
    false,
    true,
  ]);
  const { pageActions } = await customization();
  expect(await put({ pageActions: { ...pageActions, items: ['assistant', 'pdf'] } })).toEqual([
    ['assistant', 'pdf'],
    false,
    true,
    false,
  ]);
  expect(await put({ pageActions: { ...(await customization()).pageActions, mcp: true } })).toEqual([
    ['assistant', 'mcp', 'pdf'],
    true,
    true,
    false,
  ]);
});

test.each([
  ['styling.primaryColor.light', { styling: { primaryColor: { light: 'red', dark: '#fff' } } }],
  ['styling.font', { styling: { font: 'Comic' } }],
  ['internationalization.locale', { internationalization: { locale: 'xx' } }],
  ['favicon', { favicon: { icon: 'x' } }],
  ['header.links.0.to.url', { header: { links: [{ title: 'X', to: { kind: 'url', url: 'javascript:alert(1)' } }] } }],
  ['header.links.0.to.anchor', { header: { links: [{ title: 'X', to: { kind: 'anchor' } }] } }],
  ['header.primaryLink.user', { header: { primaryLink: { kind: 'user' } } }],
  ['footer.copyright', { footer: { copyright: 'x'.repeat(301) } }],
  ['announcement.message', { announcement: { enabled: true, message: 'x', style: 'info' } }],
  ['privacyPolicy.url', { privacyPolicy: { url: 'javascript:alert(1)' } }],
  ['socialAccounts.0.platform', { socialAccounts: [{ platform: 'myspace', handle: 'acme' }] }],
])('refuses a wrong %s, and says where it is', async (path, given) => {
  const before = await customization();
  const { status, body } = await creator.put(at('customization'), given);
  expect([status, body.error.issues[0].path.join('.')]).toEqual([400, path]);
  expect(await customization()).toEqual(before);
  await expect(
    creator.mutate('updateSiteCustomization', { siteId: site.id, customization: given }, 'site { id }'),
  ).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
});

test('overrides the customization for a space, resets members and the whole', async () => {
  const given = { title: 'Guide', styling: { theme: 'muted', font: 'Lato' }, footer: { copyright: 'Ours' } };
  const answer = await creator.restAs('overrideSiteSpaceCustomizationById', 'PATCH', at(ofSpace()), given, {
    beyond: true,
  });
  expect([answer.status, answer.body]).toMatchObject([200, { ...given, header: { preset: 'default' } }]);
  expect((await customization()).styling.theme).toBe('clean');
  await creator.put(at('customization'), { styling: { theme: 'gradient', corners: 'circular' } });
  const { siteSpace } = await creator.mutate(
    'overrideSiteSpaceCustomization',
    { siteSpaceId, customization: { styling: { theme: null } } },
    'siteSpace { customization }',
  );
  expect(siteSpace.customization).toMatchObject({
    title: 'Guide',
    styling: { theme: 'gradient', corners: 'circular', font: 'Lato' },
  });
  const { body } = await creator.get(at('published'));
  expect(body.customizations.siteSpaces).toEqual({ [siteSpaceId]: siteSpace.customization });
  for (const wrong of [{ styling: { theme: 'wild' } }, { ai: { mode: 'none' } }, { title: 'x' }])
    expect([wrong, (await creator.patch(at(ofSpace()), wrong)).status]).toEqual([wrong, 400]);
  expect((await creator.delete(at(ofSpace()))).status).toBe(204);
  expect((await creator.delete(at(ofSpace()))).status).toBe(204);
  expect(await customization(ofSpace())).toEqual(await customization());
});

test('an override is stored without members that no customization has, and does not grow without bound', async () => {
  const stored = async () => {
    const rows = app.services.db.selectFrom('site_customization').where('targetId', '=', siteSpaceId).selectAll();
    return (await rows.executeTakeFirst())?.settings;
  };
  const styling = { theme: 'muted', unknown: 1 };
  const answer = await creator.patch(at(ofSpace()), { styling, favicon: { emoji: '1f4d4', unknown: 1 }, unknown: {} });
  expect([answer.status, await stored()]).toEqual([200, { styling: { theme: 'muted' }, favicon: { emoji: '1f4d4' } }]);
  const source = { url: `https://acme.com/${'x'.repeat(2_000)}`, format: 'woff2' };
  const face = { weight: 400, sources: Array.from({ length: 30 }, () => source) };
  const font = { id: 'a', custom: true, fontFamily: 'A', fontFaces: [face] };
  expect((await creator.patch(at(ofSpace()), { styling: { font } })).status).toBe(200);
  const { status, body } = await creator.patch(at(ofSpace()), { styling: { headingFont: font } });
  expect([status, body.error.message]).toEqual([400, expect.stringContaining('at most 100000')]);
  expect(await stored()).toMatchObject({ styling: { theme: 'muted', font } });
  expect((await creator.patch(at(ofSpace()), { styling: { font: null, headingFont: font } })).status).toBe(200);
});

test('pages leave out links that are no content references, also where they are stored', async () => {
  const published = await publishedSite(creator, organizationId, { title: 'Links', spaces: [guides] });
  const links = [
    { title: 'Blog', to: { kind: 'url', url: 'https://acme.com/blog' }, links: [] },
    { title: 'Later', to: { kind: 'moon', crater: 1 }, links: [] },
  ];
  const given = { siteId: published.id, customization: { header: { links } } };
  const { customization: body } = (await creator.mutate('updateSiteCustomization', given, 'site { customization }'))
    .site;
  expect(body.header.links).toEqual(links);
  const malformed = ['anchor', 'user'].map((kind) => ({ title: 'Wrong', to: { kind }, links: [] }));
  const settings = JSON.stringify({ ...body, header: { ...body.header, links: [...links, ...malformed] } }) as never;
  const { db } = app.services;
  await db.updateTable('site_customization').set({ settings }).where('targetId', '=', published.id).execute();
  const page = await show(published.at());
  expect([page.status, page.text.includes('https://acme.com/blog')]).toEqual([200, true]);
  expect(page.text).not.toMatch(/Later|Wrong/);
});

test('the published profile has what a renderer needs', async () => {
  expect((await anonymous.get(at('published'))).status).toBe(401);
  await creator.post(at('publish'));
  const { body } = await anonymous.restAs('getPublishedContentSite', 'GET', at('published'), undefined, {
    beyond: true,
  });
  expect(body).toMatchObject({
    object: 'published-content-site',
    site: { id: site.id, title: 'Docs', visibility: 'public', urls: { published: expect.stringMatching(/^http/) } },
    structure: { type: 'siteSpaces', structure: [{ id: siteSpaceId, default: true, space: { id: guides } }, {}] },
    customizations: { site: { title: 'Docs' }, siteSpaces: {} },
    scripts: [],
  });
  const data = await anonymous.graphql(
    `query ($id: ID!) { site(id: $id) { publishedProfile { site { id } customization scripts
      structure { ... on SiteSpacesStructure { structure { id } } } siteSpaceCustomizations { siteSpace { id } } } } }`,
    { id: site.id },
  );
  expect(data.site.publishedProfile).toMatchObject({
    site: { id: site.id },
    structure: { structure: [{ id: siteSpaceId }, {}] },
    customization: body.customizations.site,
    siteSpaceCustomizations: [],
    scripts: [],
  });
});

test('customizing needs an admin of the site', async () => {
  await grant(site.id, editor.userId, 'create');
  for (const [method, path] of [
    ['PUT', 'customization'],
    ['PATCH', ofSpace()],
    ['DELETE', ofSpace()],
  ] as const) {
    const body = method === 'DELETE' ? undefined : {};
    expect([path, (await editor.send(method, at(path), body)).status]).toEqual([path, 403]);
    expect([path, (await outsider.send(method, at(path), body)).status]).toEqual([path, 404]);
  }
  expect((await reader.get(at('customization'))).status).toBe(200);
});

test('callers without a role see the header items whose condition they meet, and no instructions to the model', async () => {
  const to = { kind: 'url', url: 'https://acme.com/' };
  const conditions = { Everybody: undefined, Testers: 'visitor.claims.beta == true', Others: '!visitor.claims.beta' };
  const links = Object.entries(conditions).map(([title, condition]) => ({ title, to, links: [], condition }));
  const ai = { instructions: 'Never mention Zanzibar.' };
  expect((await creator.put(at('customization'), { header: { links }, ai })).status).toBe(200);
  expect((await creator.patch(at(ofSpace()), { internationalization: { locale: 'de' } })).status).toBe(200);
  await creator.patch(site.path, { visibility: 'public', adaptiveContent: { enabled: true } });
  await creator.post(`${site.path}/publish`);
  const { privateKey } = (await creator.get(at('publishing/auth'))).body;
  const visitor = async (claims: Record<string, unknown>) =>
    visitorOf(app, url, site.id, { jwtToken: await visitorToken(privateKey, claims) });

  const published =
    '{ customization siteSpaceCustomizations { customization } appearance { header { items { title } } ai { instructions } } }';
  const whole = '{ customization appearance { header { items { title } } ai { instructions } } }';
  type Part = {
    header: { links?: { title: string }[]; items?: { title: string }[] };
    ai: { instructions?: string | null };
  };
  const partsSeenBy = async (client: Client): Promise<Part[]> => {
    const { body: profile } = await client.get(at('published'));
    const { site: seen } = await client.graphql(
      `query ($id: ID!) { site(id: $id) ${whole.slice(0, -1)} publishedProfile ${published} siteSpaces(first: 1) { nodes ${whole} } } }`,
      { id: site.id },
    );
    const [ofSpaces] = seen.siteSpaces.nodes;
    return [
      (await client.get(at('customization'))).body,
      (await client.get(at(ofSpace()))).body,
      profile.customizations.site,
      profile.customizations.siteSpaces[siteSpaceId],
      ...[seen, ofSpaces, seen.publishedProfile].flatMap(({ customization: json, appearance: typed }) => [json, typed]),
      seen.publishedProfile.siteSpaceCustomizations[0].customization,
    ];
  };
  const seenBy = async (client: Client) => {
    const parts = (await partsSeenBy(client)).map(({ header, ai: { instructions = null } }) =>
      [(header.links ?? header.items ?? []).map(({ title }) => title).join(), instructions].join(': '),
    );
    expect(parts).toHaveLength(11);
    return [...new Set(parts)];
  };
  expect(await seenBy(reader)).toEqual(['Everybody,Testers,Others: Never mention Zanzibar.']);
  expect(await seenBy(anonymous)).toEqual(['Everybody: ']);
  expect(await seenBy(outsider)).toEqual(['Everybody: ']);
  expect(await seenBy(await visitor({ beta: true }))).toEqual(['Everybody,Testers: ']);
  expect(await seenBy(await visitor({}))).toEqual(['Everybody,Others: ']);
});

const both = (value: string) => ({ light: value, dark: value });

const FACE = { weight: 400, sources: [{ url: 'https://acme.com/sans.woff2', format: 'woff2' }] };
const THEMED = '{ light dark }';
const REFERENCE = '{ kind url specSlug }';
const FONT = '{ name isCustom fontId faces }';
const APPEARANCE = `{
  title icon { emoji light dark } locale defaultThemeMode hasThemeSwitch externalLinkTarget pageActions
  styling {
    theme corners depth links background icons search sidebar { background list }
    primaryColor ${THEMED} infoColor ${THEMED} successColor ${THEMED} warningColor ${THEMED} dangerColor ${THEMED} tint ${THEMED}
    font ${FONT} headingFont ${FONT} monospaceFont ${FONT} codeTheme ${THEMED} openApiCodeTheme ${THEMED}
  }
  header {
    preset logo ${THEMED} primaryLink ${REFERENCE} backgroundColor ${THEMED} linkColor ${THEMED}
    items { title style condition to ${REFERENCE} links { title to ${REFERENCE} } }
  }
  footer { logo ${THEMED} copyright groups { title links { title to ${REFERENCE} } } }
  announcement { isEnabled message style link { title to ${REFERENCE} } }
  ai { mode greeting suggestions instructions }
  socialAccounts { platform handle isInFooter isInHeader }
  privacyPolicyUrl socialPreviewUrl updatedAt
  hasFeedback hasPagination hasTrademark hasAdvancedCustomization hasTrackingCookie
}`;

const appearance = async (client = creator) => {
  const query = `query ($id: ID!) { site(id: $id) {
    appearance ${APPEARANCE}
    publishedProfile { appearance { title ai { mode } } siteSpaceCustomizations { siteSpace { id } appearance { locale title } } }
    siteSpaces(first: 5) { nodes { id appearance ${APPEARANCE} } }
  } }`;
  return (await client.graphql(query, { id: site.id })).site;
};

test('the graph shows the defaults with their types', async () => {
  const { appearance: shown } = await appearance();
  expect(shown).toMatchObject({
    title: 'Docs',
    icon: null,
    locale: 'EN',
    defaultThemeMode: 'LIGHT',
    hasThemeSwitch: true,
    externalLinkTarget: 'SELF',
    pageActions: ['EXTERNAL_AI', 'MARKDOWN', 'MCP', 'PDF'],
    styling: {
      theme: 'CLEAN',
      primaryColor: both('#346ddb'),
      tint: null,
      font: { name: 'Inter', isCustom: false, fontId: null, faces: [] },
      headingFont: null,
      monospaceFont: { name: 'FiraCode' },
      codeTheme: { light: 'default-light', dark: 'default-dark' },
    },
    header: { preset: 'DEFAULT', logo: null, primaryLink: null, items: [] },
    footer: { logo: null, copyright: null, groups: [] },
    announcement: null,
    ai: { mode: 'NONE', suggestions: [] },
    socialAccounts: [],
    privacyPolicyUrl: null,
    updatedAt: null,
    hasFeedback: false,
    hasPagination: true,
    hasTrademark: false,
    hasTrackingCookie: true,
  });
});

test('the graph shows every part of a customization that REST stored', async () => {
  const icon = { light: 'https://acme.com/a.png', dark: 'https://acme.com/b.png' };
  const blog = { kind: 'url', url: 'https://acme.com/blog' };
  const font = { id: 'f1', custom: true, fontFamily: 'Acme Sans', fontFaces: [FACE] };
  const answer = await creator.put(at('customization'), {
    title: 'Acme Docs',
    styling: { theme: 'bold', tint: { color: both('#111111') }, font, headingFont: 'Lato', icons: 'duotone' },
    favicon: { icon },
    internationalization: { locale: 'pt-br' },
    header: {
      preset: 'custom',
      logo: icon,
      primaryLink: blog,
      backgroundColor: both('#222222'),
      links: [
        { title: 'Blog', to: blog, style: 'button-primary', links: [], condition: 'visitor.claims.beta' },
        { title: 'More', to: null, links: [{ title: 'Blog', to: blog }] },
      ],
    },
    footer: { copyright: '© Acme', groups: [{ title: 'More', links: [{ title: 'Blog', to: blog }] }] },
    announcement: { enabled: true, message: 'New!', style: 'warning', link: { title: 'Read', to: blog } },
    themes: { default: 'system', toggeable: false },
    pageActions: { items: ['pdf', 'assistant'] },
    externalLinks: { target: 'blank' },
    socialAccounts: [{ platform: 'github', handle: 'acme', display: { header: true } }],
    privacyPolicy: { url: 'https://acme.com/privacy' },
    insights: { trackingCookie: false },
  });
  expect(answer.status).toBe(200);
  const { appearance: shown, publishedProfile } = await appearance();
  expect(publishedProfile.appearance.title).toBe('Acme Docs');
  expect(shown).toMatchObject({
    title: 'Acme Docs',
    icon: { ...icon, emoji: null },
    locale: 'PT_BR',
    styling: {
      theme: 'BOLD',
      tint: both('#111111'),
      font: { name: 'Acme Sans', isCustom: true, fontId: 'f1', faces: [FACE] },
      headingFont: { name: 'Lato', isCustom: false },
      icons: 'DUOTONE',
    },
    header: {
      preset: 'CUSTOM',
      logo: icon,
      primaryLink: blog,
      backgroundColor: both('#222222'),
      linkColor: null,
      items: [
        { title: 'Blog', style: 'BUTTON_PRIMARY', condition: 'visitor.claims.beta', to: blog, links: [] },
        { title: 'More', style: 'LINK', condition: null, to: null, links: [{ title: 'Blog', to: blog }] },
      ],
    },
    footer: { copyright: '© Acme', groups: [{ title: 'More', links: [{ title: 'Blog', to: blog }] }] },
    announcement: { isEnabled: true, message: 'New!', style: 'WARNING', link: { title: 'Read', to: blog } },
    defaultThemeMode: 'SYSTEM',
    hasThemeSwitch: false,
    pageActions: ['PDF', 'ASSISTANT'],
    externalLinkTarget: 'BLANK',
    socialAccounts: [{ platform: 'GITHUB', handle: 'acme', isInFooter: true, isInHeader: true }],
    privacyPolicyUrl: 'https://acme.com/privacy',
    hasTrackingCookie: false,
    updatedAt: expect.stringMatching(/Z$/),
  });
});

test('the appearance of a space is that of the site with what differs', async () => {
  await creator.patch(at(ofSpace()), { internationalization: { locale: 'de' }, styling: { headingFont: null } });
  const { siteSpaces, publishedProfile } = await appearance();
  const [own, other] = siteSpaces.nodes;
  expect([own.appearance.locale, other.appearance.locale]).toEqual(['DE', 'EN']);
  expect(publishedProfile.siteSpaceCustomizations).toEqual([
    { siteSpace: { id: siteSpaceId }, appearance: { locale: 'DE', title: 'Docs' } },
  ]);
});

test('settings that were stored before they existed have their defaults', async () => {
  await creator.put(at('customization'), {});
  await app.services.db
    .updateTable('site_customization')
    .set({
      settings: JSON.stringify({ title: 'Docs', styling: { theme: 'muted' }, pageActions: { items: [] } }) as never,
    })
    .where('siteId', '=', site.id)
    .execute();
  const { appearance: shown } = await appearance();
  expect(shown.styling).toMatchObject({ theme: 'MUTED', corners: 'ROUNDED', dangerColor: both('#fb2c36') });
  expect(shown).toMatchObject({ pageActions: [], hasPagination: true, locale: 'EN' });
});

/** An appearance in the form of inputs: without what outputs add, and with targets by their kind. */
function asInput(shown: unknown): unknown {
  if (Array.isArray(shown)) return shown.map(asInput);
  if (typeof shown !== 'object' || shown === null) return shown;
  const given = shown as Record<string, unknown>;
  if (given.kind === 'url') return { url: given.url };
  if (given.kind === 'openapi') return { specSlug: given.specSlug };
  const members = Object.entries(given).filter(([name]) => name !== 'updatedAt' && name !== 'isCustom');
  return Object.fromEntries(members.map(([name, value]) => [name, name === 'faces' ? orNone(value) : asInput(value)]));
}

const orNone = (faces: unknown) => (Array.isArray(faces) && faces.length > 0 ? faces : null);

const blog = { url: 'https://acme.com/blog' };
const images = { light: 'https://acme.com/a.png', dark: 'https://acme.com/b.png' };

const FULL = {
  title: 'Acme Docs',
  icon: { emoji: '1f4d8' },
  locale: 'PT_BR',
  defaultThemeMode: 'SYSTEM',
  hasThemeSwitch: false,
  externalLinkTarget: 'BLANK',
  pageActions: ['PDF', 'ASSISTANT'],
  styling: {
    theme: 'BOLD',
    corners: 'CIRCULAR',
    primaryColor: both('#111111'),
    tint: both('#222222'),
    font: { name: 'Acme Sans', fontId: 'f1', faces: [FACE] },
    headingFont: { name: 'Lato' },
    monospaceFont: { name: 'SpaceMono' },
    sidebar: { list: 'PILL' },
    openApiCodeTheme: { light: 'github-light', dark: 'github-dark' },
  },
  header: {
    preset: 'CUSTOM',
    logo: images,
    primaryLink: blog,
    linkColor: both('#333333'),
    items: [
      { title: 'Blog', style: 'BUTTON_PRIMARY', to: blog, condition: 'visitor.claims.beta' },
      { title: 'More', links: [{ title: 'API', to: { specSlug: 'pets' } }] },
    ],
  },
  footer: { copyright: '© Acme', groups: [{ title: 'More', links: [{ title: 'Blog', to: blog }] }] },
  announcement: { isEnabled: true, message: 'New!', style: 'WARNING', link: { title: 'Read', to: blog } },
  ai: { mode: 'ASSISTANT', greeting: 'Hello', suggestions: ['How?'] },
  socialAccounts: [{ platform: 'GITHUB', handle: 'acme', isInHeader: true }],
  privacyPolicyUrl: 'https://acme.com/privacy',
  socialPreviewUrl: 'https://acme.com/card.png',
  hasFeedback: true,
  hasPagination: false,
  hasTrademark: true,
  hasTrackingCookie: false,
};

const update = (input: object, by = creator) =>
  by.mutate('updateSiteCustomization', { siteId: site.id, ...input }, 'site { id }');
const override = (input: object, by = creator) =>
  by.mutate('overrideSiteSpaceCustomization', { siteSpaceId, ...input }, 'siteSpace { id }');

test('an appearance is written with its types, and read back in both transports', async () => {
  await update({ appearance: FULL });
  const { appearance: shown } = await appearance();
  expect(asInput(shown)).toMatchObject(FULL_AS_SHOWN);
  expect(await customization()).toMatchObject({
    title: 'Acme Docs',
    favicon: { emoji: '1f4d8' },
    internationalization: { locale: 'pt-br' },
    styling: {
      tint: { color: both('#222222') },
      font: { id: 'f1', custom: true, fontFamily: 'Acme Sans', fontFaces: [FACE] },
      headingFont: 'Lato',
      infoColor: both('#787878'),
      codeTheme: { default: { light: 'default-light', dark: 'default-dark' } },
    },
    header: {
      links: [{ to: { kind: 'url', ...blog } }, { to: null, links: [{ to: { kind: 'openapi', spec: 'pets' } }] }],
    },
    pageActions: { items: ['pdf', 'assistant'], externalAI: false, markdown: false, mcp: false },
    pdf: { enabled: true },
    git: { showEditLink: false },
    socialAccounts: [{ platform: 'github', handle: 'acme', display: { footer: true, header: true } }],
  });
});

/** With what the fields that `FULL` leaves out have by default. */
const FULL_AS_SHOWN = {
  ...FULL,
  styling: { ...FULL.styling, sidebar: { background: 'DEFAULT', list: 'PILL' } },
};

test('an appearance that was read is written back without a change', async () => {
  await update({ appearance: FULL });
  const before = await appearance();
  await update({ appearance: asInput(before.appearance) });
  const after = await appearance();
  expect([after.appearance.ai.mode, after.publishedProfile.appearance.ai.mode]).toEqual(['ASSISTANT', 'NONE']);
  expect({ ...after.appearance, updatedAt: null }).toEqual({ ...before.appearance, updatedAt: null });
});

test('fields of an appearance that are missing or null get their defaults, except the title', async () => {
  await update({ appearance: FULL });
  await update({ appearance: { icon: null, styling: { theme: null, corners: 'STRAIGHT' }, announcement: null } });
  const { appearance: shown } = await appearance();
  expect(shown).toMatchObject({
    title: 'Acme Docs',
    icon: null,
    announcement: null,
    styling: { theme: 'CLEAN', corners: 'STRAIGHT', font: { name: 'Inter' } },
    header: { items: [] },
  });
});

test('the list of page actions counts, also if it is the same as before', async () => {
  for (const _time of [1, 2]) {
    await update({ appearance: { pageActions: ['MARKDOWN'] } });
    expect((await appearance()).appearance.pageActions).toEqual(['MARKDOWN']);
  }
});

test('links of an appearance lead to every kind of target', async () => {
  const shelf = (await creator.post(`/v1/orgs/${organizationId}/collections`, { title: 'Shelf' })).body;
  const targets = [
    [{ page: { pageId: 'page_1', spaceId: guides } }, { kind: 'page', page: 'page_1', space: guides }],
    [{ anchor: { anchor: 'top', pageId: 'page_1', spaceId: null } }, { kind: 'anchor', anchor: 'top', page: 'page_1' }],
    [{ file: { fileId: 'file_1', spaceId: guides } }, { kind: 'file', file: 'file_1', space: guides }],
    [
      { reusableContent: { reusableContentId: 'reusable_1' } },
      { kind: 'reusable-content', reusableContent: 'reusable_1' },
    ],
    [{ spaceId: guides }, { kind: 'space', space: guides }],
    [{ collectionId: shelf.id }, { kind: 'collection', collection: shelf.id }],
    [{ userId: 'user_1' }, { kind: 'user', user: 'user_1' }],
    [{ specSlug: 'pets' }, { kind: 'openapi', spec: 'pets' }],
    [{ url: 'mailto:us@acme.com' }, { kind: 'url', url: 'mailto:us@acme.com' }],
  ];
  const links = targets.map(([to]) => ({ title: 'There', to }));
  await update({ appearance: { footer: { groups: [{ title: 'All', links }] } } });
  const { footer } = await customization();
  expect(footer.groups[0].links.map(({ to }: { to: object }) => to)).toEqual(targets.map(([, stored]) => stored));
});

test('an appearance overrides that of a site for a space, and null returns to the value of the site', async () => {
  await update({ appearance: { styling: { theme: 'GRADIENT', corners: 'CIRCULAR' }, privacyPolicyUrl: blog.url } });
  await override({
    appearance: { title: 'Guide', styling: { theme: 'MUTED', font: { name: 'Lato' } }, hasThemeSwitch: false },
  });
  await override({ appearance: { styling: { theme: null }, locale: 'DE', footer: { copyright: 'Ours' } } });
  const own = (await appearance()).siteSpaces.nodes.find(({ id }: { id: string }) => id === siteSpaceId).appearance;
  expect(own).toMatchObject({
    title: 'Guide',
    locale: 'DE',
    hasThemeSwitch: false,
    styling: { theme: 'GRADIENT', corners: 'CIRCULAR', font: { name: 'Lato' } },
    footer: { copyright: 'Ours' },
    privacyPolicyUrl: blog.url,
  });
  expect((await customization(ofSpace())).styling).toMatchObject({ theme: 'gradient', font: 'Lato' });
  for (const [name, value] of Object.entries({
    pageActions: [],
    ai: {},
    socialAccounts: [],
    hasTrackingCookie: true,
    hasAdvancedCustomization: null,
  }))
    await expect(override({ appearance: { [name]: value } })).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
      errors: [{ extensions: { issues: [{ path: ['input', 'appearance', name] }] } }],
    });
});

const RESET_BY_REST = {
  internationalization: { locale: null },
  styling: { primaryColor: null, font: null, corners: 'straight', sidebar: { list: null } },
  header: { logo: null },
};
const RESET_BY_THE_GRAPH = {
  locale: null,
  styling: { primaryColor: null, font: null, corners: 'STRAIGHT', sidebar: { list: null } },
  header: { logo: null },
};

test.each([
  ['REST', () => creator.patch(at(ofSpace()), RESET_BY_REST)],
  ['the graph', () => override({ appearance: RESET_BY_THE_GRAPH })],
  [
    'an earlier release, which stored the nulls',
    async () => {
      await creator.patch(at(ofSpace()), {});
      await app.services.db
        .updateTable('site_customization')
        .set({ settings: JSON.stringify(RESET_BY_REST) as never })
        .where('targetId', '=', siteSpaceId)
        .execute();
    },
  ],
])(
  'null in the first override of a space, by %s, is the value of the site, and the pages are shown',
  async (_by, reset) => {
    const common = {
      locale: 'DE',
      styling: { primaryColor: both('#123456'), font: { name: 'Lato' }, sidebar: { list: 'PILL' } },
      header: { logo: images },
    };
    await update({ appearance: { ...common, pageActions: ['MARKDOWN'] } });
    await reset();
    const own = (await appearance()).siteSpaces.nodes.find(({ id }: { id: string }) => id === siteSpaceId).appearance;
    expect(own).toMatchObject({ ...common, styling: { ...common.styling, corners: 'STRAIGHT' } });
    expect(await customization(ofSpace())).toMatchObject({
      internationalization: { locale: 'de' },
      styling: { primaryColor: both('#123456'), font: 'Lato', corners: 'straight' },
      header: { logo: images },
    });
    await creator.post(at('publish'));
    const { urls } = (await creator.get(site.path)).body;
    const here = (path: string) => show(new URL(new URL(path, urls.published).pathname, creator.url).href);
    const page = await here('');
    expect(page.status).toBe(200);
    const sheet = await here(/[^"]+\.css/.exec(page.text)?.[0] ?? '');
    expect([sheet.status, sheet.text]).toEqual([200, expect.stringContaining('"Lato"')]);
  },
);

test('an appearance and a customization exclude each other', async () => {
  for (const input of [{}, { appearance: {}, customization: {} }, { appearance: null, customization: null }])
    for (const change of [update, override])
      await expect(change(input)).rejects.toMatchObject({
        code: 'BAD_USER_INPUT',
        errors: [{ extensions: { issues: [{ path: ['input', 'appearance'], code: 'ONE_OF' }] } }],
      });
});

test.each([
  ['styling.primaryColor.light', { styling: { primaryColor: both('red') } }],
  ['styling.font.name', { styling: { font: { name: 'Comic' } } }],
  ['styling.monospaceFont.name', { styling: { monospaceFont: { name: 'Inter' } } }],
  ['styling.font', { styling: { font: { name: 'Acme', fontId: 'f1' } } }],
  ['icon', { icon: { light: 'https://acme.com/a.png' } }],
  ['header.items.0.to.url', { header: { items: [{ title: 'X', to: { url: 'javascript:alert(1)' } }] } }],
  ['header.items.0.condition', { header: { items: [{ title: 'X', condition: '((' }] } }],
  ['footer.copyright', { footer: { copyright: 'x'.repeat(301) } }],
  ['footer.groups', { footer: { groups: Array.from({ length: 51 }, () => ({ title: 'X' })) } }],
  ['announcement.message', { announcement: { isEnabled: true, message: 'x', style: 'INFO' } }],
  ['', { styling: { font: { name: 'A', fontId: 'f', faces: [{ data: 'x'.repeat(100_000) }] } } }],
])('refuses an appearance with a wrong %s, and says where it is', async (path, given) => {
  const before = await customization();
  for (const change of [update, override]) {
    const refused = await change({ appearance: given }).catch((error) => error);
    expect([refused.code, refused.errors[0].extensions.issues[0].path.join('.')]).toEqual([
      'BAD_USER_INPUT',
      ['input.appearance', path].filter((part) => part !== '').join('.'),
    ]);
  }
  expect(await customization()).toEqual(before);
});

test('writing an appearance needs an admin of the site, whatever it contains', async () => {
  await grant(site.id, editor.userId, 'create');
  for (const input of [{ appearance: {} }, {}, { appearance: { title: 'x' } }])
    for (const change of [update, override]) {
      await expect(change(input, editor)).rejects.toMatchObject({ code: 'FORBIDDEN' });
      await expect(change(input, outsider)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
});

test('new links lead to spaces and collections that the caller sees, in both forms; stored ones may stay', async () => {
  const theirs = await spaceTitled(outsider, otherOrganizationId, 'Theirs');
  const headerTo = (to: object) => ({ header: { primaryLink: to } });
  const hidden = [
    ['appearance', headerTo({ spaceId: theirs })],
    ['appearance', headerTo({ page: { pageId: 'page_1', spaceId: 'space_1' } })],
    ['appearance', headerTo({ collectionId: 'collection_1' })],
    ['customization', headerTo({ kind: 'space', space: theirs })],
    ['customization', headerTo({ kind: 'page', page: 'page_1', space: theirs })],
    ['customization', headerTo({ kind: 'collection', collection: 'collection_1' })],
  ] as const;
  const refusedAt = { code: 'NOT_FOUND', path: expect.arrayContaining(['header', 'primaryLink']) };
  await creator.put(at('customization'), { title: theirs }); // a title is no link
  for (const [member, given] of hidden)
    for (const change of [update, override]) {
      const refused = await change({ [member]: given }).catch((error) => error);
      const [issue] = refused.errors[0].extensions.issues;
      expect([refused.code, issue]).toMatchObject(['BAD_USER_INPUT', refusedAt]);
      expect(issue.path.slice(0, 4)).toEqual(['input', member, 'header', 'primaryLink']);
    }
  const byRest = headerTo({ kind: 'space', space: theirs });
  for (const { status, body } of [
    await creator.put(at('customization'), byRest),
    await creator.patch(at(ofSpace()), byRest),
  ]) {
    expect([status, body.error.issues]).toMatchObject([400, [{ path: ['header', 'primaryLink', 'space'] }]]);
  }
  const stored = { ...(await customization()), header: { preset: 'default', links: [], ...byRest.header } };
  await app.services.db
    .updateTable('site_customization')
    .set({ settings: JSON.stringify(stored) as never })
    .where('targetId', '=', site.id)
    .execute();
  await update({ appearance: { ...headerTo({ spaceId: theirs }), locale: 'DE' } });
  await override({ appearance: headerTo({ spaceId: theirs }) });
  for (const { status } of [await creator.put(at('customization'), byRest), await creator.patch(at(ofSpace()), byRest)])
    expect(status).toBe(200);
  expect((await customization()).header.primaryLink).toEqual(byRest.header.primaryLink);
});

test('an appearance without a list of page actions returns to the default list', async () => {
  await update({ appearance: { pageActions: ['ASSISTANT'] } });
  await update({ appearance: {} });
  expect((await appearance()).appearance.pageActions).toEqual(['EXTERNAL_AI', 'MARKDOWN', 'MCP', 'PDF']);
});
