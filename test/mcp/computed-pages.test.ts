import { expect, test } from 'vitest';
import { settled } from '../settled.ts';
import { pets, specifying } from '../sources/openapi/arrange.ts';
import { world } from '../world.ts';
import { connected, listen, MODERN } from './sdk-client.ts';

const here = await world({ WORKERS: '1' });
const { app, admin, editor, reader, organizationId } = here;
const { put } = specifying(here);

test('a page that is computed from a specification is told of when the specification changes', async () => {
  await put('followed', { text: pets() });
  const computed = {
    type: 'builtin:openapi',
    props: {},
    dependencies: { spec: { ref: { kind: 'openapi', spec: 'followed' } } },
  };
  const { space } = await admin.mutate('createSpace', { organizationId, title: 'API', empty: true }, 'space { id }');
  const changes = [{ insertPage: { kind: 'COMPUTED', title: 'Reference', computed } }];
  const input = { spaceId: space.id, changes };
  const { pageIds } = await editor.mutate('updateSpaceContent', input, 'pageIds');
  const uri = `stemma://spaces/${space.id}/pages/${pageIds[0]}`;
  await settled(app.services.db);
  const { updated, followed } = await listen(await connected(reader, MODERN), [uri]);
  expect(followed).toEqual([uri]);
  await put('followed', { text: pets({ info: { title: 'Pets', version: '2.0.0', description: 'About cats.' } }) });
  await expect.poll(() => updated, { interval: 20, timeout: 10_000 }).toEqual([uri]);
});
