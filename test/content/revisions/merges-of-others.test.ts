import { expect, test } from 'vitest';
import { contentOf } from '../../people/access/content.ts';
import { expectShape } from '../../shapes.ts';
import { world } from '../../world.ts';

const { admin, anonymous, reader, organizationId, app } = await world();
const content = contentOf(app.services.db, organizationId);

test('a merge is an edit to readers who cannot see its change request, so that it has the shape of one', async () => {
  const { space } = await admin.mutate('createSpace', { organizationId, title: 'Open' }, 'space { id }');
  const { changeRequest } = await admin.mutate('createChangeRequest', { spaceId: space.id }, 'changeRequest { id }');
  const changes = [{ insertPage: { title: 'New' } }];
  await admin.mutate(
    'updateChangeRequestContent',
    { changeRequestId: changeRequest.id, changes },
    'changeRequest { id }',
  );
  await admin.mutate('mergeChangeRequest', { changeRequestId: changeRequest.id }, 'changeRequest { id }');
  await content.site({ spaces: [space.id], isPublished: true, visibility: 'public' });
  const read = async (client: typeof admin) => {
    const { status, body } = await client.get(`/v1/spaces/${space.id}/content`);
    expectShape('getCurrentRevision', status, body);
    return [body.type, body.mergedFrom?.id];
  };
  expect(await read(admin)).toEqual(['merge', changeRequest.id]);
  expect(await read(reader)).toEqual(['merge', changeRequest.id]);
  expect(await read(anonymous as typeof admin)).toEqual(['edits', undefined]);
});
