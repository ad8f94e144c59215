/**
 * The pages that the changes of a call revert, by the revision that they name; undefined for the default. So the pages
 * of a revision are read together.
 */
export class RevertedPages {
  readonly #byRevision = new Map<string | undefined, Set<string>>();

  /** The page is an id or a ref. */
  add(revisionId: string | undefined, page: string): void {
    const pages = this.#byRevision.get(revisionId);
    if (pages) pages.add(page);
    else this.#byRevision.set(revisionId, new Set([page]));
  }

  of(revisionId: string | undefined): string[] {
    return [...(this.#byRevision.get(revisionId) ?? [])];
  }
}
