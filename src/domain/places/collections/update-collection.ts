import { z } from 'zod';
import { allUndefined } from '../../../lib/all-undefined.ts';
import { nowOf } from '../../../platform/context/context.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { watchSettings } from '../../../platform/events/settings-changes.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { contentLevel, permissions, storedLevel } from '../../people/access/index.ts';
import { collectionFor, collectionForChange } from './access.ts';
import { collectionDescription, collectionTitle } from './settings.ts';

const input = z.object({
  collectionId: idOf('collection'),
  title: collectionTitle.optional(),
  description: collectionDescription
    .nullish()
    .describe('Description of the collection, up to 100 characters. Null removes it.'),
  defaultLevel: contentLevel
    .nullish()
    .describe(
      'Default access of organization members to the collection and its content. Granted roles replace it. Null for no access. Requires `admin`.',
    ),
});

export const updateCollection = command({
  name: 'updateCollection',
  scope: 'write',
  scopeOf: ({ defaultLevel }) => (defaultLevel === undefined ? undefined : 'admin'),
  description: 'Updates settings of a collection. Omitted fields keep their values.',
  input,
  versioned: 'collectionId',
  authorize: (ctx, ids) => collectionFor(ctx, ids.collectionId ?? '', permissions.updateCollection.collection),
  async run(ctx, { collectionId, title, description, defaultLevel }) {
    const changesAccess = defaultLevel !== undefined;
    const needed = changesAccess ? permissions.updateCollectionSettings : permissions.updateCollection;
    const collection = await collectionForChange(ctx, collectionId, needed.collection, { changesAccess });
    const changes = {
      title,
      description: description === null ? '' : description,
      defaultLevel: storedLevel(defaultLevel),
    };
    if (allUndefined(changes)) return { collection };
    const changed = watchSettings(collection, ['title', 'description', 'defaultLevel']);
    ctx.em.assign(collection, { ...changes, updatedAt: nowOf(ctx) });
    await ctx.em.flush();
    const { organizationId } = collection;
    await recordEvent(ctx, { kind: 'collection_updated', organizationId, ids: { collectionId }, changes: changed() });
    return { collection };
  },
});
