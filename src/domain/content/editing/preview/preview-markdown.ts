import { z } from 'zod';
import type { JSONDocument } from '../../../../lib/document/document.ts';
import { emptyDocument } from '../../../../lib/document/empty.ts';
import { usesOf } from '../../../../lib/document/uses.ts';
import type { Context } from '../../../../platform/context/context.ts';
import { badInput } from '../../../../platform/errors/errors.ts';
import { idOf, query } from '../../../../platform/operation/operation.ts';
import { requestSlot } from '../../../../platform/reads/request-slot.ts';
import { permissions } from '../../../people/access/index.ts';
import { spaceFor } from '../../../places/spaces/index.ts';
import { readBody } from '../../../store/bodies/index.ts';
import { findReadPage } from '../../computed-sources/index.ts';
import { pageBody, viewOfFound } from '../../pages/index.ts';
import type { BodyOf } from '../../rendering/index.ts';
import { revisionOf } from '../../revisions/index.ts';
import { rejectHiddenSpecs } from '../../visibility/index.ts';
import { NewPages } from '../edit-state/new-pages.ts';
import { Refs } from '../edit-state/refs.ts';
import { urlTargets } from '../edit-state/url-targets.ts';

/** Maximum number of characters of Markdown of a request, whatever the number of previews. */
const MAX_CHARACTERS = 200_000;

const usedCharacters = requestSlot<Context, number>('characters of previews');

/** A body that is not stored, and the page or revision that it is read in. */
export interface MarkdownPreview {
  body: JSONDocument;
  of: BodyOf;
}

export const previewMarkdown = query({
  name: 'previewMarkdown',
  description:
    'Reads Markdown as the body of a page, without saving it: as it would be shown in the primary content of a space or in a ' +
    'change request. Paths and URLs that lead to content become references. Previews of one request have up to 200,000 characters in total. ' +
    'Requires the role `edit` on the space. NOT_FOUND if you cannot see the space or the change request.',
  input: z.object({
    spaceId: idOf('space'),
    changeRequestId: idOf('cr')
      .nullish()
      .describe('ID or number of the change request whose content is meant. Default: the primary content.'),
    pageId: idOf('page')
      .nullish()
      .describe(
        'The `pageId` of the page whose body it is. Relative paths start from it, and expressions can use its variables. Default: a page at the top level. BAD_USER_INPUT if there is no such page.',
      ),
    markdown: z
      .string()
      .max(MAX_CHARACTERS)
      .describe('Body as Markdown with the block extensions of the handbook, up to 200,000 characters.'),
  }),
  authorize: (ctx, { spaceId = '', changeRequestId }) => contentFor(ctx, spaceId, changeRequestId),
  async run(ctx, { spaceId, changeRequestId, pageId, markdown }): Promise<MarkdownPreview> {
    const revision = await contentFor(ctx, spaceId, changeRequestId);
    countCharacters(ctx, markdown);
    const foundPage = pageId == null ? undefined : await findReadPage(ctx, revision, { pageId });
    if (pageId != null && !foundPage) throw badInput(['pageId'], `There is no page "${pageId}".`, 'NOT_FOUND');
    const read = await readBody(ctx, revision.organizationId, { markdown }, [], (addresses) =>
      urlTargets(ctx, addresses, revision, {
        on: foundPage && { pageId: foundPage.page.pageId },
        newPages: new NewPages(),
        refs: new Refs(),
      }),
    );
    const { organizationId } = revision;
    const bodies = read ? [{ uses: usesOf(read.body) }] : [];
    await rejectHiddenSpecs(ctx, { organizationId, spaceId, revisions: [revision] }, { bodies }, ['markdown']);
    const { variables = {}, path = null } = foundPage ? pageBody(viewOfFound(foundPage, revision)) : {};
    return { body: read?.body ?? emptyDocument(), of: { revision, documentHash: null, variables, path } };
  },
});

async function contentFor(ctx: Context, spaceId: string, changeRequestId: string | null | undefined) {
  const space = await spaceFor(ctx, spaceId, permissions.previewMarkdown.space);
  return (await revisionOf(ctx, { spaceId: space.id, changeRequestId })).revision;
}

/** Reading takes processor time, and a document can ask for many previews. */
function countCharacters(ctx: Context, { length }: string): void {
  const used = (usedCharacters.get(ctx) ?? 0) + length;
  if (used > MAX_CHARACTERS)
    throw badInput(
      ['markdown'],
      `Previews of a request have at most ${MAX_CHARACTERS} characters in total.`,
      'TOO_LONG',
    );
  usedCharacters.set(ctx, used);
}
