import { expect, test } from 'vitest';
import { type RestAnswer, statementsOf } from '../../client.ts';
import { world } from '../../world.ts';
import { arrangeIn } from '../reviews/arrange.ts';

const site = await world();
const { editor, reviewer, reader } = site;
const arrange = arrangeIn(site);

const write = (pageId: string | undefined, markdown: string) => ({ updatePage: { pageId, document: { markdown } } });

test('mergeability of many takes as many statements as of one', async () => {
  const [one, two, three] = ['One.', 'Two.', 'Three.'];
  const { spaceId, pageIds } = await arrange.space(`${one}\n\n${two}\n\n${three}`, 'Other.');
  for (let made = 0; made < 8; made++) {
    const id = await arrange.changeRequest(editor, spaceId);
    await arrange.edit(editor, id, write(pageIds[0], `${one} ${made}\n\n${two}\n\n${three} ${made}`));
  }
  await arrange.editMain(editor, spaceId, write(pageIds[0], `${one} Main.\n\n${two}\n\n${three}`));
  const query = `query($id: ID!, $first: Int!) { space(id: $id) { changeRequests(status: ALL, first: $first) { nodes {
    mergeability { mergeable missingPermission unmetRules { rule } conflicts { id page { title } ours { markdown } theirs { markdown } } }
  } } } }`;
  const ask = async (first: number) => {
    const answer = await reader.graphqlRaw(query, { id: spaceId, first });
    const found = answer.body.data.space.changeRequests.nodes;
    expect(found.map((node: { mergeability: { conflicts: unknown[] } }) => node.mergeability.conflicts.length)).toEqual(
      Array.from({ length: first }, () => 1),
    );
    return statementsOf(answer);
  };
  const [few, many] = [await ask(1), await ask(8)];
  expect(many - few).toBeLessThanOrEqual(2);
});

test('a merge takes as many statements in a large space as in a small one', async () => {
  const merged = async (pages: number): Promise<RestAnswer> => {
    const { spaceId, pageIds } = await arrange.space('One.\n\nTwo.');
    for (let made = 0; made < pages; made += 50) {
      const changes = Array.from({ length: 50 }, (_, index) => ({ insertPage: { title: `Page ${made + index}` } }));
      await arrange.editMain(editor, spaceId, ...changes);
    }
    const id = await arrange.changeRequest(editor, spaceId);
    await arrange.edit(editor, id, write(pageIds[0], 'One, better.\n\nTwo.'));
    await arrange.editMain(editor, spaceId, write(pageIds[0], 'One.\n\nTwo, better.'));
    const answer = await reviewer.post(`/v1/spaces/${spaceId}/change-requests/${id}/merge`);
    expect(answer.body.result).toBe('merge');
    return answer;
  };
  await reviewer.get('/v1/user');
  const [small, large] = [await merged(0), await merged(400)];
  expect(statementsOf(large)).toBeLessThanOrEqual(statementsOf(small));
});
