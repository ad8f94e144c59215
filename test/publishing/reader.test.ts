import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { beforeAll, describe, expect, test } from 'vitest';
import { world } from '../world.ts';
import { linksIn, publishedSite, show, spaceWith } from './reader-world.ts';
import { visitorToken } from './visiting.ts';

const { admin, organizationId, url } = await world();

const GUIDE = `Read [the setup](page:PAGE) first.

## Install <it>

\`\`\`js title="a.js"
const x = 1;
\`\`\`

{% hint style="warning" %}
Careful.
{% endhint %}

{% embed url="https://video.example/watch?v=1" %}

![elsewhere](https://pictures.example/a.png)

## Then

$$a^2$$
`;

let guides = { spaceId: '', pageIds: [] as string[] };
let api = { spaceId: '', pageIds: [] as string[] };
let site: Awaited<ReturnType<typeof publishedSite>>;

beforeAll(async () => {
  guides = await spaceWith(admin, organizationId, 'Guides', [
    { title: 'Welcome', description: 'Where to begin.', document: { markdown: 'Hello.' } },
    { title: 'Setup', document: { markdown: 'Set it up.' } },
    { title: 'Guide', document: { markdown: 'Later.' } },
    {
      title: 'Covered',
      cover: { ref: { kind: 'url', url: 'https://pictures.example/cover.png' } },
      metaLinks: { canonical: { kind: 'url', url: 'https://acme.example/original' } },
      document: { markdown: 'Behind a cover.' },
    },
    { title: 'Secret', hidden: true, document: { markdown: 'Nobody lists me.' } },
  ]);
  const [, setup, guide] = guides.pageIds;
  const markdown = GUIDE.replace('PAGE', setup ?? '');
  await admin.mutate(
    'updateSpaceContent',
    { spaceId: guides.spaceId, changes: [{ updatePage: { pageId: guide, document: { markdown } } }] },
    'pageIds',
  );
  api = await spaceWith(admin, organizationId, 'API', [
    { title: 'Reference', document: { markdown: `Back to [the guide](space:${guides.spaceId}/page:${guide}).` } },
  ]);
  site = await publishedSite(admin, organizationId, { title: 'Acme Docs', spaces: [guides.spaceId, api.spaceId] });
});

describe('pages', () => {
  test('shows the first page at the root, with metadata, navigation and the next page', async () => {
    const shown = await show(site.at());
    expect(shown.status).toBe(200);
    expect(shown.text).toContain('<title>Welcome | Acme Docs</title>');
    expect(shown.text).toContain('<meta name="description" content="Where to begin.">');
    expect(shown.text).toMatch(/<link rel="canonical" href="http[^"]*\/acme-docs\/">/);
    expect(shown.text).toContain('<meta property="og:title" content="Welcome">');
    expect(shown.text).not.toContain('noindex');
    expect(linksIn(shown)).toEqual(expect.arrayContaining([`${site.base}/setup`, `${site.base}/guide`]));
    expect(linksIn(shown)).not.toContain(`${site.base}/secret`);
    expect(shown.text).toMatch(/<a class="next"[^>]*>.*Setup<\/a>/);
  });

  test('prints blocks, and loads nothing from other sites', async () => {
    const { text } = await show(site.at('guide'));
    expect(text).toContain(`<a href="${site.base}/setup">the setup</a>`);
    expect(text).toMatch(/<h2 id="install-[^"]*">Install &lt;it&gt;<a class="anchor"/);
    expect(text).toContain('<span class="t-keyword">const</span>');
    expect(text).toMatch(/<div class="hint warning" role="note" aria-label="Warning">/);
    expect(text).toContain('<a href="https://video.example/watch?v=1" rel="noopener">');
    expect(text).toContain('<math');
    expect(text).toContain('<nav class="outline" aria-label="On this page">');
    const loaded = [...text.matchAll(/ (?:src|srcset)="([^"]*)"/g)].map(([, from]) => from);
    expect(loaded).toEqual([`${site.base}/~gitbook/icon`]);
    expect(text).not.toMatch(/<iframe| on[a-z]+=| style="/);
  });

  test('shows variants below their paths, and links between spaces of the site', async () => {
    const shown = await show(site.at('api'));
    expect(shown.text).toContain('<h1>Reference</h1>');
    expect(linksIn(shown)).toContain(`${site.base}/guide`);
    expect(shown.text).toContain('<details class="drop variants">');
  });

  test('hidden pages are shown by their URL, and not indexed', async () => {
    const { status, text } = await show(site.at('secret'));
    expect([status, text.includes('<meta name="robots" content="noindex">')]).toEqual([200, true]);
  });

  test('a page can name another canonical URL, and covers elsewhere are not loaded', async () => {
    const { text } = await show(site.at('covered'));
    expect(text).toContain('<link rel="canonical" href="https://acme.example/original">');
    expect(text).not.toContain('cover.png');
  });

  test('the page at the root, former paths and groups lead to where the page is', async () => {
    expect((await show(site.at('welcome'))).headers.get('location')).toBe(`${site.base}/`);
    const [, setup] = guides.pageIds;
    const rename = (slug: string) =>
      admin.mutate(
        'updateSpaceContent',
        { spaceId: guides.spaceId, changes: [{ updatePage: { pageId: setup, slug } }] },
        'pageIds',
      );
    await rename('set-up');
    const moved = await show(site.at('setup'));
    expect([moved.status, moved.headers.get('location')]).toEqual([307, `${site.base}/set-up`]);
    expect(linksIn(await show(site.at('guide')))).toContain(`${site.base}/set-up`);
    await rename('setup');
  });

  test('redirects of the site lead on from paths without a page', async () => {
    const create = (source: string, destination: Record<string, unknown>, more = {}) =>
      admin.post(`${site.path}/redirects`, { source, destination, ...more });
    const [first] = (await admin.get(`${site.path}/site-spaces`)).body.items;
    const page = { kind: 'site-page', siteSpaceId: first.id, pageId: guides.pageIds[2] };
    const outside = { kind: 'external', url: 'https://acme.example/' };
    const answers = [
      await create('/old/guide', page),
      await create('/c++/*', outside, { captureWildcard: true }),
      await create('/setup', outside),
      await create('/for-good', page, { permanent: true }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    const leadsTo = async (path: string) => {
      const { status, headers } = await show(site.at(path));
      return [status, headers.get('location')];
    };
    expect(await leadsTo('Old/guide')).toEqual([307, `${site.base}/guide`]);
    expect(await leadsTo('c++/a/b')).toEqual([307, 'https://acme.example/a/b']);
    expect(await leadsTo('for-good')).toEqual([308, `${site.base}/guide`]);
    expect(await leadsTo('setup')).toEqual([200, null]);
    expect(await leadsTo('old/other')).toEqual([404, null]);
    const [missing, other] = [await show(site.at('old/other')), await show(site.at('another'))];
    expect(other.text).toBe(missing.text);
    expect((await show(site.at('%00'))).status).toBeLessThan(500);
  });

  test('requests with a whole URL are those of its path', async () => {
    const { hostname, port } = new URL(url);
    const askWhole = (path: string) =>
      new Promise<[number | undefined, string]>((resolve, reject) => {
        const asked = request({ hostname, port, path, agent: false }, async (response) => {
          resolve([response.statusCode, (await response.setEncoding('utf8').toArray()).join('')]);
        });
        asked.on('error', reject).end();
      });
    const [status, text] = await askWhole(`http://elsewhere.example${site.base}/guide`);
    expect([status, text]).toEqual([200, expect.stringContaining(`href="${site.base}/setup"`)]);
    const otherwise = await show(site.at('guide').replace('acme-docs', '%61cme-docs'));
    expect(otherwise.text).toBe(text);
  });

  test('an unknown page has the navigation and a search', async () => {
    const shown = await show(site.at('nothing/here'));
    expect([shown.status, shown.text.includes('<h1>Page not found</h1>')]).toEqual([404, true]);
    expect(linksIn(shown)).toContain(`${site.base}/guide`);
    expect((await show(`${url}${site.base}/${'x/'.repeat(2_000)}`)).status).toBe(404);
  });

  test('the policy allows the one script of pages by its hash, and no other', async () => {
    const { headers, text } = await show(site.at('guide'));
    const scripts = [...text.matchAll(/<script>(.*?)<\/script>/gs)].map(([, script = '']) => script);
    expect(scripts).toHaveLength(1);
    expect(text.match(/<script/g)).toHaveLength(1);
    const hash = createHash('sha256')
      .update(scripts[0] ?? '')
      .digest('base64');
    expect(headers.get('content-security-policy')).toContain(`; script-src 'sha256-${hash}'; `);
  });

  test('results of a search are sent alone for the script, without the rest of the page', async () => {
    const shown = await show(site.at('~gitbook/search?q=setup&part=results'));
    expect(shown.text).toMatch(/^<ul class="results"/);
    expect(shown.text).toContain(`href="${site.base}/setup"`);
    expect(shown.headers.get('access-control-allow-origin')).toBe('*');
    expect(shown.headers.get('access-control-allow-credentials')).toBeNull();
    expect((await show(site.at('~gitbook/search?q=nothinglikethis&part=results'))).text).toContain('role="status"');
  });

  test('the policy has a sandbox without an origin, and only allows files of the service', async () => {
    const { headers } = await show(site.at());
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toMatch(/; sandbox allow-scripts allow-forms /);
    expect(policy).not.toMatch(/allow-same-origin|unsafe-inline/);
    expect(headers.get('access-control-allow-credentials')).toBeNull();
  });

  test('shows new content at once, and 304 while nothing has changed', async () => {
    const first = await show(site.at('setup'));
    const etag = first.headers.get('etag') ?? '';
    expect(first.headers.get('cache-control')).toBe('public, no-cache');
    expect((await show(site.at('setup'), { 'if-none-match': etag })).status).toBe(304);
    const [, setup] = guides.pageIds;
    const change = { updatePage: { pageId: setup, document: { markdown: 'Set it up **anew**.' } } };
    await admin.mutate('updateSpaceContent', { spaceId: guides.spaceId, changes: [change] }, 'pageIds');
    const second = await show(site.at('setup'), { 'if-none-match': etag });
    expect([second.status, second.text.includes('<strong>anew</strong>')]).toEqual([200, true]);
  });

  test('tokens of the API have no effect', async () => {
    const { status } = await show(site.at(), { authorization: `Bearer ${admin.token}` });
    expect(status).toBe(200);
    expect((await show(site.at(), { authorization: 'Bearer stemma_wrong' })).status).toBe(200);
  });
});

describe('appearance', () => {
  test('has the language, links, announcement, footer and colors of the customization', async () => {
    const { path } = await publishedSite(admin, organizationId, { title: 'Deutsch', spaces: [guides.spaceId] });
    await admin.put(`${path}/customization`, {
      internationalization: { locale: 'de' },
      themes: { default: 'dark', toggeable: false },
      styling: { primaryColor: { light: '#ffee00', dark: '#ffee00' }, corners: 'straight' },
      header: { links: [{ title: 'Blog', to: { kind: 'url', url: 'https://acme.example/blog' }, links: [] }] },
      footer: { copyright: '© Acme <b>', groups: [] },
      announcement: { enabled: true, message: 'Neu!', style: 'warning' },
    });
    const { body } = await admin.get(path);
    const shown = await show(`${url}${new URL(body.urls.published).pathname}`);
    expect(shown.text).toContain('<html lang="de" data-mode="dark">');
    expect(shown.text).toContain('placeholder="Suchen"');
    expect(shown.text).toContain('<aside class="announcement warning"');
    expect(shown.text).toContain('© Acme &lt;b&gt;');
    expect(linksIn(shown)).toContain('https://acme.example/blog');
    const [, stylesheet = ''] = /<link rel="stylesheet" href="([^"]*)">/.exec(shown.text) ?? [];
    const css = await show(`${url}${stylesheet}`);
    expect([css.headers.get('content-type'), css.headers.get('cache-control')]).toEqual([
      'text/css; charset=utf-8',
      'public, max-age=31536000, immutable',
    ]);
    expect(css.text).toContain('--radius:0px;');
  });

  test('the icon is an emoji or a letter', async () => {
    const letter = await show(site.at('~gitbook/icon'));
    expect([letter.headers.get('content-type'), letter.text.includes('>A</text>')]).toEqual(['image/svg+xml', true]);
    await admin.patch(site.path, { icon: { emoji: '1f680' } });
    expect((await show(site.at('~gitbook/icon'))).text).toContain('🚀');
    await admin.patch(site.path, { icon: null });
  });

  test('a stylesheet is kept for good by its hash, and any other name has that of the site', async () => {
    const styled = await publishedSite(admin, organizationId, {
      title: 'Styled',
      spaces: [guides.spaceId, api.spaceId],
    });
    const [, second] = (await admin.get(`${styled.path}/site-spaces`)).body.items;
    const override = { styling: { corners: 'straight' } };
    await admin.patch(`${styled.path}/site-spaces/${second.id}/customization`, override);
    const stylesheetOf = async (path: string) => {
      const [, stylesheet = ''] =
        /<link rel="stylesheet" href="([^"]*)">/.exec((await show(styled.at(path))).text) ?? [];
      const { headers, text } = await show(`${url}${stylesheet}`);
      return [headers.get('cache-control'), /--radius:\w+;/.exec(text)?.[0]];
    };
    expect([await stylesheetOf(''), await stylesheetOf(second.path)]).toEqual([
      ['public, max-age=31536000, immutable', '--radius:8px;'],
      ['public, max-age=31536000, immutable', '--radius:0px;'],
    ]);
    for (const name of ['constructor.css', '__proto__.css', 'absent.css', '.css', 'toString']) {
      const { status, headers, text } = await show(styled.at(`~gitbook/style/${name}`));
      expect([name, status, headers.get('cache-control')]).toEqual([name, 200, 'public, no-cache']);
      expect(text).toContain('--radius:8px;');
    }
  });
});

describe('sections', () => {
  test('sections have their paths, and groups are menus', async () => {
    const sectioned = await publishedSite(admin, organizationId, { title: 'Sectioned', spaces: [guides.spaceId] });
    const { body } = await admin.post(`${sectioned.path}/sections`, { spaceId: api.spaceId, title: 'API reference' });
    await admin.post(`${sectioned.path}/section-groups`, { title: 'More', sections: [body.id] });
    const home = await show(sectioned.at());
    expect(linksIn(home)).toContain(`${sectioned.base}/${body.path}/`);
    expect(home.text).toContain('<summary>More</summary>');
    const section = await show(sectioned.at(body.path));
    expect(section.text).toContain('<h1>Reference</h1>');
    expect(section.text).toContain('<summary class="current">More</summary>');
    expect(linksIn(section)).toContain(`${sectioned.base}/guide`);
  });
});

describe('audiences', () => {
  test('unpublished and absent sites are answered alike', async () => {
    const hidden = await publishedSite(admin, organizationId, { title: 'Hidden', spaces: [guides.spaceId] });
    await admin.post(`${hidden.path}/unpublish`);
    const [unpublished, absent] = [await show(hidden.at('guide')), await show(`${url}/sites/${organizationId}/absent`)];
    expect([unpublished.status, unpublished.text]).toEqual([404, absent.text]);
    expect((await show(`${url}/sites/nobody/absent`)).text).toBe(absent.text);
    expect(unpublished.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
  });

  test('a site is at its ID too, which leads search engines to its name', async () => {
    const [byName, byId] = [await show(site.at('guide')), await show(site.at('guide').replace('acme-docs', site.id))];
    expect(byId.status).toBe(200);
    expect(linksIn(byId)).toContain(`${site.base.replace('acme-docs', site.id)}/setup`);
    const canonicalOf = ({ text }: typeof byId) => /<link rel="canonical" href="([^"]*)">/.exec(text)?.[1];
    expect(canonicalOf(byId)).toMatch(/\/acme-docs\/guide$/);
    expect(canonicalOf(byId)).toBe(canonicalOf(byName));
    expect((await show(site.at().replace(organizationId, 'nobody').replace('acme-docs', site.id))).status).toBe(404);
  });

  test('unlisted sites are not indexed', async () => {
    const unlisted = await publishedSite(admin, organizationId, {
      title: 'Unlisted',
      visibility: 'unlisted',
      spaces: [guides.spaceId],
    });
    const { status, headers, text } = await show(unlisted.at());
    expect([status, headers.get('x-robots-tag')]).toEqual([200, 'noindex']);
    expect(text).toContain('<meta name="robots" content="noindex">');
    expect((await show(unlisted.at('robots.txt'))).text).toContain('Disallow: /\n');
  });

  test('share links begin with their key, and end when they are revoked', async () => {
    const shared = await publishedSite(admin, organizationId, {
      title: 'Shared',
      visibility: 'share-link',
      spaces: [guides.spaceId],
    });
    const { body } = await admin.post(`${shared.path}/share-links`, { name: 'Press' });
    const key = body.urls.published.split('/').at(-2);
    const [first] = (await admin.get(`${shared.path}/site-spaces`)).body.items;
    await admin.post(`${shared.path}/redirects`, {
      source: '/old',
      destination: { kind: 'site-page', siteSpaceId: first.id, pageId: guides.pageIds[2] },
    });
    expect((await show(shared.at(`${key}/old`))).headers.get('location')).toBe(`${shared.base}/${key}/guide`);
    expect((await show(shared.at())).status).toBe(404);
    expect((await show(shared.at('guide'))).status).toBe(404);
    const shown = await show(shared.at(`${key}/guide`));
    expect([shown.status, shown.headers.get('cache-control')]).toEqual([200, 'private, no-cache']);
    expect(linksIn(shown)).toContain(`${shared.base}/${key}/setup`);
    const icon = await show(shared.at(`${key}/~gitbook/icon`));
    expect(icon.headers.get('cache-control')).toBe('private, max-age=300');
    await admin.delete(`${shared.path}/share-links/${body.id}`);
    expect((await show(shared.at(`${key}/guide`))).status).toBe(404);
  });

  test('visitors sign in, return with a token, and read on with a cookie', async () => {
    const gated = await publishedSite(admin, organizationId, {
      title: 'Gated',
      visibility: 'visitor-auth',
      spaces: [guides.spaceId],
    });
    const auth = `${gated.path}/publishing/auth`;
    await admin.patch(auth, { fallbackURL: 'https://acme.example/sign-in?site=docs' });
    const { body } = await admin.get(auth);
    const refused = await show(gated.at('guide'));
    expect([refused.status, refused.headers.get('location')]).toEqual([
      303,
      'https://acme.example/sign-in?site=docs&location=%2Fguide',
    ]);
    const token = await visitorToken(body.privateKey, { plan: 'pro' });
    const arrived = await show(gated.at(`guide?jwt_token=${token}&a=b`));
    expect([arrived.status, arrived.headers.get('location')]).toEqual([303, `${gated.base}/guide?a=b`]);
    const cookie = arrived.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/; Path=\/sites\/[^;]+; Max-Age=\d+; HttpOnly; SameSite=Lax$/);
    const read = await show(gated.at('guide'), { cookie: cookie.split(';', 1)[0] ?? '' });
    expect([read.status, read.headers.get('cache-control')]).toEqual([200, 'private, no-cache']);
    const login = await show(gated.at('~gitbook/auth/login?location=/guide'));
    expect([login.status, login.headers.get('location')]).toEqual([303, refused.headers.get('location')]);
    for (const other of ['//evil.example', '/%5Cevil.example', '/%09/evil.example']) {
      const { headers } = await show(gated.at(`~gitbook/auth/login?location=${other}`));
      expect(headers.get('location')).toBe('https://acme.example/sign-in?site=docs&location=%2Fevil.example');
    }
    const logout = async () => (await show(gated.at('~gitbook/auth/logout'))).headers;
    expect((await logout()).get('location')).toBe(`${gated.base}/`);
    await admin.patch(auth, { logoutURL: 'https://acme.example/bye' });
    expect((await logout()).get('location')).toBe('https://acme.example/bye');
    const [name = ''] = cookie.split('=', 1);
    expect((await logout()).get('set-cookie')).toBe(`${name}=; Path=${gated.base}; Max-Age=0; HttpOnly; SameSite=Lax`);
    await admin.post(`${auth}/regenerate`);
    expect((await show(gated.at('guide'), { cookie: cookie.split(';', 1)[0] ?? '' })).status).toBe(303);
  });

  /** An open site with a part for testers, and a function that signs tokens. */
  async function openSite(title: string) {
    const markdown = 'All.\n\n{% if visitor.claims.isBeta == true %}\nOnly testers.\n{% endif %}\n';
    const { spaceId } = await spaceWith(admin, organizationId, title, [{ title: 'Start', document: { markdown } }]);
    const open = await publishedSite(admin, organizationId, { title, spaces: [spaceId] });
    await admin.patch(open.path, { adaptiveContent: { enabled: true } });
    const auth = `${open.path}/publishing/auth`;
    await admin.patch(auth, { fallbackURL: 'https://acme.example/sign-in' });
    const { privateKey } = (await admin.get(auth)).body;
    const tokenWith = (claims: object, expires?: string) =>
      visitorToken(privateKey, { isBeta: true, ...claims }, expires);
    return { open, tokenWith };
  }

  const HTML = { accept: 'text/html' };

  test('a token on an open site is kept in a cookie, and one that is not valid is ignored', async () => {
    const { open, tokenWith } = await openSite('Known');
    const token = await tokenWith({});
    const arrived = await show(open.at(`?jwt_token=${token}&a=b`), HTML);
    expect([arrived.status, arrived.headers.get('location')]).toEqual([303, `${open.base}/?a=b`]);
    const [cookie = ''] = (arrived.headers.get('set-cookie') ?? '').split(';', 1);
    expect((await show(open.at(), { cookie })).text).toContain('Only testers.');
    for (const wrong of ['nonsense', `${token}x`, await tokenWith({}, '-1h')]) {
      const { status, headers, text } = await show(open.at(`?jwt_token=${wrong}`), HTML);
      expect([status, headers.get('set-cookie'), text.includes('testers')]).toEqual([200, null, false]);
    }
  });

  test('an open site answers at once with what a token admits, to programs and where the token does not fit into a cookie', async () => {
    const { open, tokenWith } = await openSite('At once');
    const [token, long] = [await tokenWith({}), await tokenWith({ roles: 'x'.repeat(3_000) })];
    for (const [given, accept] of [
      [token, 'text/markdown'],
      [token, '*/*'],
      [long, 'text/html'],
    ] as const) {
      const { status, headers, text } = await show(open.at(`?jwt_token=${given}`), { accept });
      expect([accept, status, headers.get('set-cookie')]).toEqual([accept, 200, null]);
      expect(headers.get('cache-control')).toMatch(/^private/);
      expect(text).toContain('Only testers.');
    }
    const params = { name: 'getPage', arguments: { url: '/' } };
    const called = await fetch(open.at(`~gitbook/mcp?jwt_token=${token}`), {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    });
    expect([called.status, await called.text()]).toEqual([200, expect.stringContaining('Only testers.')]);
  });

  test('a token that does not fit into a cookie is refused, unless it comes in the header', async () => {
    const gated = await publishedSite(admin, organizationId, {
      title: 'Long tokens',
      visibility: 'visitor-auth',
      spaces: [guides.spaceId],
    });
    const auth = `${gated.path}/publishing/auth`;
    await admin.patch(auth, { fallbackURL: 'https://acme.example/sign-in' });
    const { body } = await admin.get(auth);
    const tokenWith = (characters: number) => visitorToken(body.privateKey, { roles: 'x'.repeat(characters) });
    const [fitting, long, longest] = [await tokenWith(2_700), await tokenWith(3_000), await tokenWith(9_000)];
    const arrived = await show(gated.at(`?jwt_token=${fitting}`));
    expect([arrived.status, arrived.headers.get('location')]).toEqual([303, `${gated.base}/`]);
    const refused = await show(gated.at(`?jwt_token=${long}`));
    expect([refused.status, refused.headers.get('set-cookie')]).toEqual([400, null]);
    expect(refused.text).toContain('jwt_token: The token is too long');
    expect((await show(gated.at(), { authorization: `Bearer ${long}` })).status).toBe(200);
    const invalid = await show(gated.at(`?jwt_token=${longest}`));
    expect([invalid.status, invalid.headers.get('location')]).toEqual([
      303,
      'https://acme.example/sign-in?location=%2F',
    ]);
  });

  test('visitors see the pages and parts of pages that their claims admit', async () => {
    const beta = 'visitor.claims.unsigned.isBeta == true';
    const { spaceId } = await spaceWith(admin, organizationId, 'Adaptive', [
      { title: 'Start', document: { markdown: `All.\n\n{% if ${beta} %}\nOnly testers.\n{% endif %}\n` } },
      { title: 'Preview', condition: beta, document: { markdown: 'Soon.' } },
    ]);
    const adaptive = await publishedSite(admin, organizationId, { title: 'Adaptive', spaces: [spaceId] });
    await admin.patch(adaptive.path, { adaptiveContent: { enabled: true } });
    const paths = ['', 'preview', 'llms.txt', 'sitemap-pages.xml', '~gitbook/search?q=soon'];
    const seen = async (claims: string) =>
      Promise.all(
        paths.map(async (path) => {
          const { status, text } = await show(adaptive.at(`${path}${path.includes('?') ? '&' : '?'}${claims}`));
          return status === 200 && /Only testers|Soon|\/preview/.test(text);
        }),
      );
    expect(await seen('')).toEqual([false, false, false, false, false]);
    expect(await seen('visitor.isBeta=true')).toEqual([true, true, true, true, true]);
    expect(await seen('visitor.isBeta=false')).toEqual([false, false, false, false, false]);
    const { headers } = await show(adaptive.at('?visitor.isBeta=true'));
    expect(headers.get('cache-control')).toBe('private, no-cache');
  });
});
