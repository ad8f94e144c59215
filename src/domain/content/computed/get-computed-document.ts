import { z } from 'zod';
import type { Context } from '../../../platform/context.ts';
import { badInput, orNull } from '../../../platform/errors.ts';
import { idOf, query } from '../../../platform/operation.ts';
import { textOf } from '../../../platform/text.ts';
import { permissions } from '../../people/access/index.ts';
import { spaceFor } from '../../places/spaces/index.ts';
import { findDocument, type StoredDocument } from '../../store/bodies/index.ts';
import { type ComputedSource, computedSource } from '../pages/index.ts';
import { rejectSource } from './reject-source.ts';

export const getComputedDocument = query({
  name: 'getComputedDocument',
  description:
    'The body of a page or reusable content whose source is elsewhere. A document of which no translation is named reads as it is. Sources that depend on an API specification, a translation or an integration are refused as naming none: this service has none yet.',
  openToAnonymous: true,
  input: z.object({
    spaceId: idOf('space'),
    source: computedSource,
    seed: textOf(0, 1000).describe('What the page says of the state of its source (`computedSeed`).'),
  }),
  authorize: (ctx, { spaceId = '' }) => spaceFor(ctx, spaceId, permissions.getComputedDocument.space),
  async run(ctx, { spaceId, source }) {
    const space = await spaceFor(ctx, spaceId, permissions.getComputedDocument.space);
    return (await untranslated(ctx, space.organizationId, source)) ?? rejectSource(source);
  },
});

/** The document that a source names without a translation; undefined for every other source. */
async function untranslated(
  ctx: Context,
  organizationId: string,
  { type, props, dependencies }: ComputedSource,
): Promise<StoredDocument | undefined> {
  const { space: spaceId, document } = props;
  if (type !== 'builtin:translation' || dependencies?.translation !== undefined) return undefined;
  if (typeof spaceId !== 'string' || typeof document !== 'string') return undefined;
  const space = await orNull(spaceFor(ctx, spaceId, permissions.getDocument.space));
  const found = space?.organizationId === organizationId ? await findDocument(ctx, space, document) : undefined;
  if (!found) throw badInput(['source', 'props', 'document'], 'names no document that you may see.');
  return found;
}
