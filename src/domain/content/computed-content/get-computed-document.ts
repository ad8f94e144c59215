import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { badInput, orNull } from '../../../platform/errors/errors.ts';
import { idOf, query } from '../../../platform/operation/operation.ts';
import { multilineText } from '../../../platform/shapes/text.ts';
import { permissions } from '../../people/access/index.ts';
import { spaceFor } from '../../places/spaces/index.ts';
import type { StoredDocument } from '../../store/bodies/index.ts';
import { kindOfSource } from '../computed-sources/index.ts';
import { getDocument } from '../documents/index.ts';
import { type ComputedSource, computedSource } from '../pages/index.ts';
import { rejectHidden } from './reject-hidden.ts';
import { rejectSource } from './reject-source.ts';

export const getComputedDocument = query({
  name: 'getComputedDocument',
  description:
    'Gets the body of a page or reusable content with a computed source. A source of type `builtin:translation` that names no translation returns the original document. Sources that depend on an integration are rejected, because this release has no integrations.',
  openToAnonymous: true,
  input: z.object({
    spaceId: idOf('space'),
    source: computedSource,
    seed: multilineText(0, 1000).describe(
      'Value of `computedSeed` of the page, which identifies the state of the source.',
    ),
  }),
  authorize: (ctx, { spaceId = '' }) => spaceFor(ctx, spaceId, permissions.getComputedDocument.space),
  async run(ctx, { spaceId, source }) {
    const space = await spaceFor(ctx, spaceId, permissions.getComputedDocument.space);
    const { organizationId } = space;
    await rejectHidden(ctx, space, source);
    const body = await kindOfSource(source)?.document(ctx, organizationId, source);
    return body ? { body } : ((await untranslated(ctx, organizationId, source)) ?? rejectSource(source));
  },
});

/** The document of a translation source that refers to no translation; undefined for all other sources. */
async function untranslated(
  ctx: Context,
  organizationId: string,
  { type, props, dependencies }: ComputedSource,
): Promise<StoredDocument | undefined> {
  const { space: spaceId, document } = props;
  if (type !== 'builtin:translation' || dependencies?.translation !== undefined) return undefined;
  if (typeof spaceId !== 'string' || typeof document !== 'string') return undefined;
  const space = await orNull(spaceFor(ctx, spaceId, permissions.getDocument.space));
  const isHere = space?.organizationId === organizationId;
  const storedDocument = isHere ? await orNull(getDocument(ctx, { spaceId, documentId: document })) : undefined;
  if (!storedDocument) throw badInput(['source', 'props', 'document'], 'must be a document that you can view.');
  return storedDocument.read();
}
