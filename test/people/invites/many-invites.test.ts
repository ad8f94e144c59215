import { expect, test } from 'vitest';
import { removeExpiredInvites } from '../../../src/domain/people/invites/remove-expired-invites.ts';
import { jobContext } from '../../../src/platform/jobs/job.ts';
import { world } from '../../world.ts';

const { app, admin, organizationId } = await world();
const path = `/v1/orgs/${organizationId}/invites`;

const invite = (...emails: string[]) => admin.post(path, { emails });

test('an organization has 1,000 invitations, and withdrawn ones count until they are removed at night', async () => {
  for (let hundred = 0; hundred < 10; hundred++) {
    const emails = Array.from({ length: 100 }, (_, index) => `${hundred}-${index}@many.example`);
    expect((await invite(...emails)).body).toMatchObject({ invited: 100 });
  }
  const refused = await invite('one.more@many.example');
  expect([refused.status, refused.body.error.message]).toEqual([409, expect.stringContaining('1000 invitations')]);
  // Inviting an address again makes no further invitation.
  expect((await invite('0-0@many.example')).body).toMatchObject({ invited: 1 });

  const { items } = (await admin.get(path)).body;
  expect((await admin.delete(`${path}/${items[0].id}`)).status).toBe(204);
  expect((await invite('one.more@many.example')).status).toBe(409);
  await removeExpiredInvites.run(
    jobContext(app.services, 'test'),
    {},
    { signal: new AbortController().signal, retries: 0 },
  );
  expect((await invite('one.more@many.example')).body).toMatchObject({ invited: 1 });
});
