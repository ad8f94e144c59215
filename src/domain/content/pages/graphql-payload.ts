import type { Context } from '../../../platform/context/context.ts';
import type { PayloadField } from '../../../platform/graphql/mutation.ts';
import { PageNodeType } from './graphql-node.ts';
import { type ContentStep, changedPages, deletedPageIds, relatedPages } from './page-changes.ts';
import type { PageView } from './page-view.ts';

/** How the payload of a mutation finds out what it did to the pages of a space or change request. */
interface PagesOfPayload<Output> {
  /** Undefined if nothing changed, or if the caller cannot read the content. */
  stepOf(output: Output, ctx: Context): Promise<ContentStep | undefined>;
  /** Overrides the pages that differ. They are in the order of the tree's levels. */
  pages?: { description: string; resolve(output: Output, ctx: Context): Promise<PageView[]> };
}

/**
 * Fields of payloads of mutations that change content, with which a normalized cache is right without another request.
 */
export function pagesPayload<Output>({ stepOf, pages }: PagesOfPayload<Output>): Record<string, PayloadField<Output>> {
  const pagesOf =
    pages?.resolve ?? (async (output, ctx) => inStep(await stepOf(output, ctx), (step) => changedPages(ctx, step)));
  return {
    pages: {
      type: [PageNodeType],
      description:
        pages?.description ??
        "The new, changed and moved pages, with their new content. Their IDs are those of `allPages` and `page`. Null, with an error, if this exceeds the query's object limit.",
      nullable: pages === undefined,
      resolve: pagesOf,
    },
    relatedPages: {
      type: [PageNodeType],
      nullable: true,
      description:
        'Other pages that a client cache has to update: parents with other child pages than before, pages below pages with a new ' +
        "path, and pages with another previous or next page. Null, with an error, if this exceeds the query's object limit.",
      resolve: async (output, ctx) =>
        inStep(await stepOf(output, ctx), async (step) => {
          const includedIds = (await pagesOf(output, ctx)).map(({ page }) => page.pageId);
          return relatedPages(ctx, step, includedIds);
        }),
    },
    deletedPageIds: {
      type: ['ID'],
      description:
        'Values of `id` of the deleted pages, including the pages below them: `page_…-in-space_…` or `page_…-in-cr_…`, as the ' +
        'cache of a client knows them. For the directive `@deleteRecord` of Relay.',
      resolve: async (output, ctx) => inStep(await stepOf(output, ctx), (step) => deletedPageIds(ctx, step)),
    },
  };
}

const inStep = async <Item>(step: ContentStep | undefined, read: (step: ContentStep) => Promise<Item[]>) =>
  step ? read(step) : [];
