import { z } from 'zod';
import { type Actor, onlySpacesOf, userIdOf } from '../../../platform/access/actor.ts';
import { nowOf } from '../../../platform/context/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { unauthenticated } from '../../../platform/errors/errors.ts';
import { newId } from '../../../platform/ids/ids.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { organizationBlockedError, organizationFor, permissions } from '../../people/access/index.ts';
import { fileName } from '../files/index.ts';
import { UPLOAD_LIFE_MS } from './limits.ts';
import { assertUploadsLeft } from './quota.ts';

export type UploadRow = Row<'upload'>;

export const createUpload = command({
  name: 'createUpload',
  scope: ['propose', 'write'],
  description:
    'Creates an upload for a file of up to 200 MB, for use in a later operation such as an import. ' +
    'Only you can use it, in this organization and within a day. You can have up to 1,000 uploads per organization at a time.',
  input: z.object({
    organizationId: idOf('org'),
    name: fileName.nullish().describe('Name of the file, up to 256 characters.'),
  }),
  authorize: (ctx, { organizationId = '' }) =>
    organizationFor(ctx, organizationId, permissions.createUpload.organization),
  async run(ctx, { organizationId, name }): Promise<UploadRow> {
    const userId = userIdOf(ctx.actor);
    if (userId === undefined) throw unauthenticated();
    const organization = await organizationFor(ctx, organizationId, permissions.createUpload.organization);
    if (organization.blocked) throw organizationBlockedError(organization.blocked.reason);
    await assertUploadsLeft(ctx, { organizationId, userId });
    return ctx.db
      .insertInto('upload')
      .values({
        id: newId('upload'),
        organizationId,
        userId,
        blobHash: null,
        size: null,
        pendingBytes: 0,
        name: name ?? null,
        oauthGrantId: limitedGrantOf(ctx.actor) ?? null,
        createdAt: nowOf(ctx),
        expiresAt: new Date(ctx.services.clock().getTime() + UPLOAD_LIFE_MS).toISOString(),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
  },
});

/** Id of the grant of an application that is limited to spaces. */
export const limitedGrantOf = (actor: Actor): string | undefined =>
  actor.kind === 'user' && onlySpacesOf(actor) ? (actor.application?.grantId ?? '') : undefined;
