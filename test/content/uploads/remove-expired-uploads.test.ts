import { expect, test } from 'vitest';
import { removeExpiredUploads } from '../../../src/domain/content/uploads/remove-expired-uploads.ts';
import { jobContext } from '../../../src/platform/jobs/job.ts';
import { world } from '../../world.ts';

const { app, admin, organizationId, advance } = await world();

const newUpload = async () => (await admin.mutate('createUpload', { organizationId }, 'upload { id }')).upload.id;

test('removes expired uploads, and no others', async () => {
  await newUpload();
  advance(23 * 60 * 60 * 1000);
  const fresh = await newUpload();
  advance(2 * 60 * 60 * 1000);
  const ctx = jobContext(app.services, 'job-test');
  await removeExpiredUploads.run(ctx, {}, { signal: AbortSignal.timeout(20_000), retries: 0 });
  expect(await app.services.db.selectFrom('upload').select('id').execute()).toEqual([{ id: fresh }]);
});
