import { buffer } from 'node:stream/consumers';
import { expect } from 'vitest';
import yazl from 'yazl';
import { processOpenApiSpec } from '../../src/domain/sources/openapi/processing/process-openapi-spec.ts';
import { jobContext } from '../../src/platform/jobs/job.ts';
import type { Client } from '../client.ts';
import { appAt, type World } from '../world.ts';
import { siteWith, spaceTitled } from './arrange.ts';
import { visitorOf, visitorToken } from './visiting.ts';

/**
 * In the titles, paths, names and texts of everything that only excluded pages use or have, and of what nothing uses.
 */
export const SECRET = /zanzibar/i;

export const BETA = 'visitor.claims.beta == true';

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Files with different bytes have different URLs. */
const pixel = (mark: string) => Buffer.concat([PIXEL, Buffer.from(mark)]);

const EXPRESSION = (name: string) => `<code class="expression">space.vars.${name}</code>`;

/** What a repository has; everything with the secret is used by pages with a condition, or by nothing. */
const REPOSITORY: Record<string, string | Buffer> = {
  'README.md': `---
tags:
  - tag: seen
---

# Welcome

Hello. ![Seen](seen.png) ${EXPRESSION('seen')}

{% include ".gitbook/includes/outer.md" %}

Read [the plan](zanzibar-plan.md), [what follows](zanzibar-plan/zanzibar-below.md) or [the last page](last.md).

{% content-ref url="zanzibar-plan.md" %}
[zanzibar-plan.md](zanzibar-plan.md)
{% endcontent-ref %}

{% if ${BETA} %}
For testers: ![Block](zanzibar-block.png) ${EXPRESSION('zanzibar_block')}
{% endif %}
`,
  'zanzibar-plan.md': `---
description: Zanzibar in short
if: ${BETA}
tags:
  - tag: zanzibar
---

# Zanzibar plan

Zanzibar is next. ![Zanzibar](zanzibar.png) ${EXPRESSION('zanzibar')}

{% include ".gitbook/includes/zanzibar-outer.md" %}
`,
  'zanzibar-plan/zanzibar-below.md': '# Zanzibar details\n\nZanzibar in detail. Back to [the start](../README.md).\n',
  'last.md': '# Last\n\nThe end.\n',
  'SUMMARY.md':
    '# Contents\n\n* [Welcome](README.md)\n* [Zanzibar plan](zanzibar-plan.md)\n  * [Zanzibar details](zanzibar-plan/zanzibar-below.md)\n* [Last](last.md)\n',
  '.gitbook/includes/outer.md': '---\ntitle: Outer\n---\n\nOuter text.\n\n{% include "inner.md" %}\n',
  '.gitbook/includes/inner.md': `---\ntitle: Inner\n---\n\nInner text. ![Deep](../../deep.png) ${EXPRESSION('deep')}\n`,
  '.gitbook/includes/zanzibar-outer.md':
    '---\ntitle: Zanzibar outer\n---\n\nZanzibar outer text.\n\n{% include "zanzibar-inner.md" %}\n',
  '.gitbook/includes/zanzibar-inner.md':
    '---\ntitle: Zanzibar inner\n---\n\nZanzibar inner text. ![Zanzibar](../../zanzibar-deep.png)\n',
  '.gitbook/vars.yaml':
    'seen: open value\ndeep: deep value\nzanzibar: zanzibar value\nzanzibar_block: zanzibar in a block\nunused_zanzibar: zanzibar alone\n',
  '.gitbook/tags.yaml':
    '- tag: seen\n  label: Seen\n- tag: zanzibar\n  label: Zanzibar\n- tag: unused-zanzibar\n  label: Zanzibar alone\n',
  'seen.png': pixel('seen'),
  'deep.png': pixel('deep'),
  'zanzibar.png': pixel('zanzibar'),
  'zanzibar-deep.png': pixel('zanzibar-deep'),
  'zanzibar-block.png': pixel('zanzibar-block'),
};

async function archive(): Promise<Buffer> {
  const zip = new yazl.ZipFile();
  for (const [path, content] of Object.entries(REPOSITORY)) zip.addBuffer(Buffer.from(content), path);
  zip.end();
  return buffer(zip.outputStream);
}

export type ConditionalWorld = Awaited<ReturnType<typeof conditionalWorld>>;

/**
 * A published site for everybody, with a page, a space and a section that visitors only see with the claim `beta`, and
 * what all of them use. `plain` and `beta` read as visitors without and with the claim.
 */
export async function conditionalWorld({ app, url, admin, organizationId }: World) {
  const organization = `/v1/orgs/${organizationId}`;
  const post = async (path: string, body: unknown, type = 'application/json') => {
    const answer = await admin.send('POST', path, body, { 'content-type': type });
    expect([path, answer.body?.error, answer.status < 300]).toEqual([path, undefined, true]);
    return answer.body;
  };
  const change = (spaceId: string, changes: object[]) => post(`/v1/spaces/${spaceId}/content`, { changes });

  const upload = await post(`${organization}/uploads`, await archive(), 'application/zip');
  const { body: space } = await admin.post(`${organization}/spaces`, { title: 'Docs', empty: true });
  const docs: string = space.id;
  await post(`/v1/spaces/${docs}/content/import`, { url: upload.url, source: 'zip' });

  const spec = 'zanzibar-api';
  const text = JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Zanzibar API', version: '1' },
    paths: { '/zanzibar': { get: { summary: 'Get Zanzibar', responses: {} } } },
  });
  const made = await post(`${organization}/openapi`, { slug: spec, source: { text } });
  await processOpenApiSpec.run(
    jobContext(app.services, 'test'),
    { openApiSpecId: made.id, sourceNumber: 1 },
    { signal: new AbortController().signal, retries: 0 },
  );
  const computed = { type: 'builtin:openapi', props: {}, dependencies: { spec: { ref: { kind: 'openapi', spec } } } };
  await change(docs, [
    { operation: 'insert_page', type: 'computed', title: 'Zanzibar API', computed, condition: BETA },
    {
      operation: 'insert_files',
      files: ['zanzibar-alone.png', 'lent.png', 'zanzibar-lent.png', 'zanzibar-unused.png'].map((name) => ({
        name,
        base64: pixel(name).toString('base64'),
      })),
    },
    { operation: 'insert_reusable_content', title: 'Zanzibar alone', document: { markdown: 'Zanzibar alone.' } },
  ]);

  const read = async (path: string) => (await admin.get(`/v1/spaces/${docs}/content${path}`)).body;
  const [files, contents] = [
    (await read('/files?limit=100')).items,
    (await read('/reusable-contents?limit=100')).items,
  ];
  const pages = (await read('/pages')).pages;
  const idOf = (list: { id: string; name?: string; title?: string }[], wanted: string): string => {
    const found = list.find(({ name, title }) => (name ?? title) === wanted);
    if (!found) throw new Error(`There is no ${wanted} among ${list.map(({ name, title }) => name ?? title)}.`);
    return found.id;
  };
  const plan = pages.find(({ title }: { title: string }) => title === 'Zanzibar plan');

  const withPage = async (title: string, page: object) => {
    const spaceId = await spaceTitled(admin, organizationId, title);
    await change(spaceId, [{ operation: 'insert_page', ...page }]);
    return spaceId;
  };
  const fromDocs = (name: string) => `space:${docs}/file:${idOf(files, name)}`;
  const second = await withPage('Second', {
    title: 'Borrowing',
    document: { markdown: `![Lent](${fromDocs('lent.png')}) and [the plan](space:${docs}/page:${plan.id})` },
  });
  const internal = await withPage('Zanzibar internal', {
    title: 'Zanzibar inside',
    document: { markdown: `Zanzibar. ![Lent](${fromDocs('zanzibar-lent.png')})` },
  });
  const sectioned = await withPage('Zanzibar section', {
    title: 'Zanzibar there',
    document: { markdown: 'Zanzibar.' },
  });
  const toInternal = (await admin.get(`/v1/spaces/${internal}/content/pages`)).body.pages.at(-1).id;
  await change(docs, [
    {
      operation: 'insert_page',
      title: 'Links',
      document: {
        markdown: `[Inside](space:${internal}/page:${toInternal}), [plan](page:${plan.id}), [space](space:${internal})`,
      },
      metaLinks: {
        canonical: { kind: 'page', page: plan.id },
        alternates: [{ kind: 'page', page: toInternal, space: internal }],
      },
    },
    { operation: 'insert_page', type: 'link', title: 'To the plan', target: { kind: 'page', page: plan.id } },
  ]);

  const site = await siteWith(admin, organizationId, { title: 'Help', visibility: 'public', spaces: [docs, second] });
  await admin.patch(site.path, { adaptiveContent: { enabled: true } });
  const added = await post(`${site.path}/site-spaces`, { spaceId: internal });
  await admin.patch(`${site.path}/site-spaces/${added.id}`, { condition: BETA });
  const section = await post(`${site.path}/sections`, { spaceId: sectioned, title: 'Zanzibar section' });
  await admin.patch(`${site.path}/sections/${section.id}`, { condition: BETA });
  const siteSpaces = (await admin.get(`${site.path}/site-spaces`)).body.items;
  const ofDocs = siteSpaces.find((each: { space: { id: string } }) => each.space.id === docs);
  const destination = { kind: 'site-page', siteSpaceId: ofDocs.id, pageId: plan.id };
  await post(`${site.path}/redirects`, { source: '/old', destination });
  await post(`${site.path}/publish`, {});
  const { body: auth } = await admin.get(`${site.path}/publishing/auth`);
  const visitor = async (claims?: Record<string, unknown>): Promise<Client> =>
    visitorOf(app, url, site.id, claims ? { jwtToken: await visitorToken(auth.privateKey, claims) } : {});
  const published = new URL((await admin.get(site.path)).body.urls.published);
  return {
    site,
    /** URL of a path of the site on the server of the test. */
    at: (path = '') => `${url}${published.pathname.replace(/\/$/, '')}/${path}`,
    visitor,
    tokenOf: (claims: Record<string, unknown>) => visitorToken(auth.privateKey, claims),
    plain: await visitor(),
    beta: await visitor({ beta: true }),
    spaces: { docs, second, internal, sectioned },
    section: section.id as string,
    siteSpace: added.id as string,
    plan,
    pages,
    files,
    contents,
    fileNamed: (name: string) => idOf(files, name),
    contentTitled: (title: string) => idOf(contents, title),
    spec: { slug: spec, id: made.id as string },
    revision: (await admin.get(`/v1/spaces/${docs}`)).body.revision as string,
    app: appAt(url),
  };
}
