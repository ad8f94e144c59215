import type { Listed } from '../../../platform/paging/page.ts';

/** A list that is only chosen when it is read. */
export function deferredList<Row>(choose: () => Promise<Listed<Row>>): Listed<Row> {
  return {
    page: async (paging) => (await choose()).page(paging),
    total: async () => (await choose()).total(),
  };
}
