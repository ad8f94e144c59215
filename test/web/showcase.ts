import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect } from 'vitest';
import yazl from 'yazl';
import { furnish, type Ids } from '../structure/furnish.ts';
import type { World } from '../world.ts';

const HANDBOOK = join(import.meta.dirname, '../../src/demo/handbook');

/** Blocks and inlines that no chapter of the handbook has. */
const MORE_BLOCKS = `Text with **bold**, *italic*, ~~struck~~, \`code\`, a [link](https://example.com/), E = $$mc^2$$ and <mark style="color:red;background-color:yellow;">color</mark>.

# Lists

1. First
   * Inside
2. Second

* [x] Boil the water
* [ ] Warm the pot

> Water first, then leaves.

***

$$
\\int_0^1 x^2 \\, dx = \\frac{1}{3}
$$

\`\`\`ts
const cups = 2; // for two
\`\`\`

# Cards

<table data-view="cards"><thead><tr><th>Title</th><th>Text</th></tr></thead><tbody><tr><td><strong>Green</strong></td><td>Two minutes</td></tr><tr><td><strong>Black</strong></td><td>Four minutes</td></tr></tbody></table>

# Main

This title is also the name of an element.

# Elsewhere

![A picture of another host](https://example.com/picture.png)

{% hint style="danger" %}
Hot water scalds.
{% endhint %}

{% hint style="warning" %}
Do not boil it twice.
{% endhint %}

{% hint style="info" %}
Leaves can be used again.
{% endhint %}
`;

/** Pages that are made from a specification, which does not exist. */
const REFERENCE = {
  type: 'builtin:openapi',
  props: { models: true },
  dependencies: { spec: { ref: { kind: 'openapi', spec: 'petstore' } } },
};

const DONE = 'Done already?';

/** A view with content: its address below `/app`, its title, and what is seen when all of it is loaded. */
export interface ShownView {
  path: string;
  title: string | RegExp;
  seen?: string;
}

export interface Showcase {
  views: Readonly<Record<'page' | 'page with comments' | 'conflicts', ShownView>> & Readonly<Record<string, ShownView>>;
  ids: Ids;
  /** A space with the handbook, which has a page about tea, a link, a group and a change request. */
  spaceId: string;
  changeRequestId: string;
}

/**
 * One of everything that the application has a view for: a handbook with all kinds of blocks, discussed change requests
 * of which one contradicts its space, and the resources of `furnish`.
 */
export async function showcase({ admin, reviewer, commenter, organizationId }: World): Promise<Showcase> {
  const ids = await furnish(admin, organizationId);
  const zip = new yazl.ZipFile();
  for (const entry of readdirSync(HANDBOOK, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    zip.addBuffer(readFileSync(path), path.slice(HANDBOOK.length + 1));
  }
  zip.end();
  const { body: upload } = await admin.send(
    'POST',
    `/v1/orgs/${organizationId}/uploads`,
    await buffer(zip.outputStream),
    { 'content-type': 'application/zip' },
  );
  const input = { organizationId, title: 'Stemma handbook', emoji: '1f4d8', empty: true };
  const { space } = await admin.mutate('createSpace', input, 'space { id }');
  const spaceId: string = space.id;
  expect(await admin.post(`/v1/spaces/${spaceId}/content/import`, { url: upload.url, source: 'zip' })).toMatchObject({
    status: 201,
  });
  const write = (title: string, markdown: string) => ({ insertPage: { title, document: { markdown } } });
  const TEA = ['Tea is made with hot water.', 'Take one spoon for each cup.', 'Wait for three minutes.'];
  const { pageIds } = await admin.mutate(
    'updateSpaceContent',
    {
      spaceId,
      changes: [
        write('Further blocks', MORE_BLOCKS),
        write('Tea', TEA.join('\n\n')),
        write('Coffee', 'Coffee is ground.'),
        write('Infusions', TEA.join('\n\n')),
        { insertPage: { kind: 'LINK', title: 'Leaves', target: { kind: 'url', url: 'https://example.com/leaves' } } },
        { insertPage: { kind: 'GROUP', title: 'More' } },
        { insertPage: { kind: 'COMPUTED', title: 'Reference', computed: REFERENCE } },
      ],
    },
    'pageIds',
  );
  const [blocksId, teaId, coffeeId, infusionsId, linkId, groupId, computedId] = pageIds.slice(-7);
  const { space: written } = await admin.graphql(
    'query($id: ID!) { space(id: $id) { revision { id } allPages(first: 200) { nodes { pageId title } } } }',
    { id: spaceId },
  );
  const pageNamed = (title: string) =>
    written.allPages.nodes.find((page: { title: string }) => page.title === title)?.pageId;

  const propose = async (subject: string, changes: readonly unknown[]) => {
    const { changeRequest } = await reviewer.mutate(
      'createChangeRequest',
      { spaceId, subject },
      'changeRequest { id number }',
    );
    await reviewer.mutate('updateChangeRequestContent', { changeRequestId: changeRequest.id, changes }, 'pageIds');
    return changeRequest;
  };
  const rewrite = (pageId: string, title: string, ...paragraphs: string[]) => ({
    updatePage: { pageId, title, document: { markdown: paragraphs.join('\n\n') } },
  });
  const friendly = await propose('Say more about tea', [
    rewrite(
      teaId,
      'Black tea',
      'Tea is made with boiling water.',
      TEA[1] ?? '',
      'Wait for *four* minutes.',
      '```sh\npour --slowly\n```',
    ),
    write('Milk', 'Milk comes last.\n\n* Never first'),
    { deletePage: { pageId: coffeeId } },
  ]);
  await reviewer.mutate(
    'updateChangeRequest',
    { changeRequestId: friendly.id, status: 'OPEN' },
    'changeRequest { id }',
  );
  const [, ...others] = TEA;
  const hostile = await propose('Boil it', [
    rewrite(infusionsId, 'Hot infusions', 'Tea is made with boiling water.', ...others),
  ]);
  const contradiction = rewrite(infusionsId, 'All infusions', 'Tea is made with fresh water.', ...others);
  await admin.mutate('updateSpaceContent', { spaceId, changes: [contradiction] }, 'pageIds');

  const comment = async (target: object, markdown: string) => {
    const { comment: posted } = await commenter.mutate(
      'postComment',
      { ...target, body: { markdown } },
      'comment { id }',
    );
    await reviewer.mutate(
      'postCommentReply',
      { commentId: posted.id, body: { markdown: 'I will *see*.' } },
      'commentReply { id }',
    );
    return posted.id;
  };
  for (const target of [{ spaceId, pageId: blocksId }, { changeRequestId: friendly.id }]) {
    await comment(target, 'Is `code` **bold** here?');
    const commentId = await comment(target, DONE);
    await reviewer.mutate('updateComment', { commentId, resolved: true }, 'comment { id }');
  }
  const { body: empty } = await admin.post(`/v1/orgs/${organizationId}/spaces`, { title: 'Empty', empty: true });

  const home = `/orgs/${organizationId}`;
  const at = `/spaces/${spaceId}`;
  const request = `${at}/change-requests/${friendly.number}`;
  const views = {
    organizations: { path: '', title: 'Organizations', seen: 'Acme' },
    'sign-in': { path: '/sign-in', title: 'Sign in' },
    organization: { path: home, title: 'Acme' },
    collection: { path: `/collections/${ids.collection}`, title: 'Shelf' },
    site: { path: `${home}/sites/${ids.site}`, title: 'Help' },
    specification: { path: `${home}/openapi/${ids.specSlug}`, title: 'Pets' },
    translation: { path: `${home}/translations/${ids.translation}`, title: 'Guide in German' },
    cluster: { path: `${home}/conversations-clusters/${ids.cluster}`, title: /./, seen: 'Issues' },
    'empty space': { path: `/spaces/${empty.id}`, title: 'Empty', seen: 'This space has no pages yet.' },
    page: { path: `${at}/pages/${pageNamed('Block extensions')}`, title: 'Block extensions', seen: 'Add a comment' },
    'page with comments': { path: `${at}/pages/${blocksId}`, title: 'Further blocks', seen: DONE },
    'link page': { path: `${at}/pages/${linkId}`, title: 'Leaves', seen: 'Add a comment' },
    'group page': { path: `${at}/pages/${groupId}`, title: 'More', seen: 'Add a comment' },
    'computed page': { path: `${at}/pages/${computedId}`, title: 'Reference', seen: 'Add a comment' },
    history: { path: `${at}/history`, title: 'History' },
    revision: { path: `${at}/revisions/${written.revision.id}`, title: /^Revision of/ },
    'change requests': { path: `${at}/change-requests`, title: 'Change requests', seen: '#1' },
    'change request': { path: request, title: /Say more about tea/, seen: DONE },
    conflicts: { path: `${at}/change-requests/${hostile.number}/conflicts`, title: 'Conflicts' },
    'choice of a page': { path: `${request}/pages`, title: 'Choose a page to edit' },
    editor: { path: `${request}/pages/${teaId}`, title: /^Edit/, seen: 'pour --slowly' },
    'no such address': { path: '/nowhere', title: 'Not found' },
    'no such space': { path: `/spaces/space_${'0'.repeat(26)}`, title: 'This cannot be shown' },
    'no such page': { path: `${at}/pages/page_${'0'.repeat(26)}`, title: 'This cannot be shown' },
  };
  return { views, ids, spaceId, changeRequestId: friendly.id };
}
