import { z } from 'zod';
import { conflict } from '../../../platform/errors/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { readParentUncached } from '../placement/index.ts';
import { spaceFor } from './access.ts';
import { copySpace, placeOfCopy } from './copy-space.ts';
import { spaceId } from './settings.ts';

const needed = permissions.duplicateSpace;

export const duplicateSpace = command({
  name: 'duplicateSpace',
  scope: 'write',
  description:
    'Copies the content and appearance of a space, without comments, change requests and permissions. The copy is placed after the space, with ` (copy)` added to the title. You become its admin. Requires a role on the space: what a published site shows of it can be a part only.',
  input: z.object({ spaceId }),
  authorize: (ctx, ids) => placeOfCopy(ctx, ids.spaceId ?? '', needed),
  async run(ctx, input) {
    const { id, ...place } = await placeOfCopy(ctx, input.spaceId, needed);
    const source = await spaceFor(ctx, id, needed.space, { lock: 'for no key update' });
    if (((await readParentUncached(ctx, id)) ?? null) !== place.parentId) {
      throw conflict('Another request moved the space at the same time. Try again.');
    }
    const space = await copySpace(ctx, source, place, { suffix: ' (copy)' });
    const ids = { copiedSpaceId: id };
    const { organizationId } = place;
    await recordEvent(ctx, { kind: 'space_created', organizationId, spaceId: space.id, ids });
    return { spaceId: space.id, space };
  },
});
