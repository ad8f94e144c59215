import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Client } from '../client.ts';
import { world } from '../world.ts';

const { url, admin, anonymous, organizationId } = await world();

const chapter = readFileSync(join(import.meta.dirname, '../../src/demo/handbook/first-steps.md'), 'utf8');
const [, section = ''] = chapter.split('## Work with other people');

interface Block {
  language: string;
  code: string;
}

const blocks: Block[] = [...section.matchAll(/```(\w+)\n(.*?)```/gs)].map(([, language = '', code = '']) => ({
  language,
  code,
}));

/** The blocks of a step, in order. */
function blocksOf(title: string): Block[] {
  const [, text = ''] = section.split(`### ${title}`);
  const [step = ''] = text.split('{% endstep %}');
  return blocks.filter(({ code }) => step.includes(code));
}

/** Runs an example as it is written: GraphQL with variables, and commands of the shell with theirs. */
async function run({ language, code }: Block, given: Record<string, string>): Promise<unknown[]> {
  if (language === 'graphql') {
    const { organizationId: org, userId, spaceId } = given;
    return [await admin.graphql(code, { organizationId: org, userId, spaceId })];
  }
  const variables: Record<string, string> = {
    ORG: given.organizationId ?? '',
    SPACE: given.spaceId ?? '',
    USER: given.userId ?? '',
    STEMMA_TOKEN: admin.token ?? '',
  };
  const commands = code.replaceAll('\\\n', ' ').trim().split('\n');
  const answers: unknown[] = [];
  for (const command of commands) answers.push(await runCurl(command, variables));
  return answers;
}

/** A `curl` command with what the handbook uses of it: -X, -H and -d. */
async function runCurl(command: string, variables: Record<string, string>): Promise<unknown> {
  const words = [...command.matchAll(/'([^']*)'|"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(([, raw, quoted, bare]) =>
    raw === undefined ? expand((quoted ?? bare ?? '').replaceAll('\\"', '"'), variables) : raw,
  );
  expect(words[0]).toBe('curl');
  const after = (option: string) => words.flatMap((word, index) => (word === option ? [words[index + 1] ?? ''] : []));
  const headers = after('-H').map((header) => header.split(': ') as [string, string]); // as the handbook writes them
  const [address = ''] = words.filter((word) => word.startsWith('http://localhost:4000'));
  const [method = 'GET'] = after('-X');
  const [body] = after('-d');
  const response = await fetch(address.replace('http://localhost:4000', url), {
    method,
    headers,
    ...(body !== undefined && { body }),
  });
  expect([command, response.ok]).toEqual([command, true]);
  const text = await response.text();
  return text === '' ? undefined : JSON.parse(text);
}

const expand = (text: string, variables: Record<string, string>) =>
  text.replaceAll(/\$([A-Z_]+)/g, (_, name) => variables[name] ?? '');

/** Accepts an invitation by its link. */
async function accept(link: string): Promise<Client> {
  const [, inviteId, secret] = /#(\w+)\.([\w-]+)$/.exec(link) ?? [];
  const { body } = await anonymous.post(`/v1/invites/${inviteId}/accept`, { secret });
  return new Client(url, body.secret, body.user);
}

// biome-ignore lint/suspicious/noExplicitAny: as it came.
type Answer = any;

test('an administrator invites people, sets roles and shares a space, by both interfaces as the handbook says', async () => {
  const { body: space } = await admin.post(`/v1/orgs/${organizationId}/spaces`, { title: 'Plans' });
  const ids = { organizationId, spaceId: space.id };
  const [inviteByGraph, inviteByRest] = blocksOf('Invite people') as [Block, Block];
  const [invited] = (await run(inviteByGraph, ids)) as Answer[];
  const [, listed] = (await run(inviteByRest, ids)) as Answer[];
  const linkOf = (email: string) => listed.items.find((item: Answer) => item.email === email).url;
  expect(invited.inviteMembers.invites).toEqual([{ email: 'ada@example.com', url: linkOf('ada@example.com') }]);
  const [ada, grace] = [await accept(linkOf('ada@example.com')), await accept(linkOf('grace@example.com'))];
  const role = async (client: Client) =>
    (await admin.get(`/v1/orgs/${organizationId}/members/${client.userId}`)).body.role;
  const reads = async (client: Client) => (await client.get(`/v1/spaces/${space.id}`)).status;
  expect([await role(ada), await role(grace)]).toEqual(['read', null]);
  expect([await reads(ada), await reads(grace)]).toEqual([200, 404]);

  const [membersInGraph, setByGraph, setByRest] = blocksOf('Set roles') as [Block, Block, Block];
  const [{ organization }] = (await run(membersInGraph, ids)) as Answer[];
  expect(organization.members.nodes).toContainEqual({
    role: 'READ',
    user: { id: ada.userId, displayName: 'ada', email: 'ada@example.com' },
  });
  await run(setByGraph, { ...ids, userId: ada.userId });
  expect(await role(ada)).toBe('edit');
  const [members] = (await run(setByRest, { ...ids, userId: ada.userId })) as Answer[];
  expect(members.items.map(({ user }: Answer) => user.id)).toContain(grace.userId);
  expect(await role(ada)).toBe('comment');

  const [shareByGraph, shareByRest, whoInGraph, whoInRest] = blocksOf('Share a space') as [Block, Block, Block, Block];
  await run(shareByGraph, { ...ids, userId: ada.userId });
  await run(shareByRest, { ...ids, userId: grace.userId });
  expect(await reads(grace)).toBe(200);
  const [{ space: shown }] = (await run(whoInGraph, ids)) as Answer[];
  expect(shown.effectivePermissions.nodes).toEqual(
    expect.arrayContaining([
      { role: 'REVIEW', source: 'GRANT', user: { displayName: 'ada' } },
      { role: 'COMMENT', source: 'GRANT', user: { displayName: 'grace' } },
    ]),
  );
  const [aggregate] = (await run(whoInRest, ids)) as Answer[];
  expect(aggregate.count).toBe(shown.effectivePermissions.nodes.length);
});

test('every example of the chapter about people was run', () => {
  const run = ['Invite people', 'Set roles', 'Share a space'].flatMap(blocksOf);
  expect(run).toEqual(blocks);
  expect(run).toHaveLength(9);
});
