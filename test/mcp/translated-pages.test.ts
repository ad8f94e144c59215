import { beforeAll, expect, test } from 'vitest';
import { settled } from '../settled.ts';
import { translating } from '../sources/translations/arrange.ts';
import { world } from '../world.ts';
import { connected, listen, MODERN } from './sdk-client.ts';

const here = await world();
const { app, admin, editor, reader, organizationId } = here;
const { makeSpace, write, create, work, run } = translating(here);

const soon = { interval: 20, timeout: 10_000 };

/** A space with a page that is computed from a translation of another space. */
async function translatedCopy() {
  const { spaceId: sourceId, pageIds: sourceIds } = await makeSpace({ Cats: 'Cats sleep.', Birds: 'Birds sing.' });
  const { translationId, translatedId } = await create(sourceId);
  await work(translationId);
  const computed = {
    type: 'builtin:translation',
    props: {},
    dependencies: { translation: { ref: { kind: 'translation', translation: translationId } } },
  };
  const { space } = await admin.mutate('createSpace', { organizationId, title: 'Copy', empty: true }, 'space { id }');
  const changes = [{ insertPage: { kind: 'COMPUTED', title: 'Translated', computed } }];
  await editor.mutate('updateSpaceContent', { spaceId: space.id, changes }, 'pageIds');
  const { body } = await reader.get(`/v1/spaces/${space.id}/content/pages`);
  const uris = body.pages[0].pages.map(
    ({ id }: { id: string }) => `stemma://spaces/${space.id}/pages/${id}`,
  ) as string[];
  return { sourceId, sourceIds, translationId, translatedId, uris };
}

let copy: Awaited<ReturnType<typeof translatedCopy>>;
beforeAll(async () => {
  copy = await translatedCopy();
});

const follow = async (uris: string[]) => {
  await settled(app.services.db);
  return listen(await connected(reader, MODERN), uris);
};

test('a page that is computed from a translation is told of when the source is translated anew, and when people edit the translation', async () => {
  const { sourceId, sourceIds, translationId, translatedId, uris } = copy;
  const { updated, followed } = await follow(uris);
  expect([followed, followed.length]).toEqual([uris, 2]);
  await write(sourceId, sourceIds.Birds as string, 'Birds sing loudly.');
  await run(translationId);
  await expect.poll(() => updated, soon).toEqual(uris);
  await write(translatedId, sourceIds.Cats as string, 'Katzen schlafen.');
  await expect.poll(() => updated, soon).toEqual([...uris, ...uris]);
});

test('a page that is computed from a translation is not told of to those who can no longer read the translation', async () => {
  const { sourceIds, translatedId, uris } = copy;
  const other = await makeSpace({ Dogs: 'Dogs bark.' });
  const otherUri = `stemma://spaces/${other.spaceId}/pages/${other.pageIds.Dogs}`;
  const { updated, followed } = await follow([...uris, otherUri]);
  expect(followed).toEqual([...uris, otherUri]);
  await admin.mutate('updateSpace', { spaceId: translatedId, defaultLevel: 'NONE' }, 'space { id }');
  await write(translatedId, sourceIds.Cats as string, 'Hidden.');
  await write(other.spaceId, other.pageIds.Dogs as string, 'Dogs bark loudly.');
  // Events are told of in their order, so that the former edit has been passed over.
  await expect.poll(() => updated, soon).toEqual([otherUri]);
  await admin.mutate('updateSpace', { spaceId: translatedId, defaultLevel: 'INHERIT' }, 'space { id }');
  await write(translatedId, sourceIds.Cats as string, 'Shown.');
  await expect.poll(() => updated, soon).toEqual([otherUri, ...uris]);
});
