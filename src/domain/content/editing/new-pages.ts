import { slugify } from '../../../lib/slug.ts';
import type { ChangePath } from './change-path.ts';

/** A page that one call creates. */
export interface NewPage {
  pageId: string;
  /** Null at the top level; an id, or a name of the caller's. */
  parentId: string | null;
  slug: string;
}

/** The slug that a page asks for; it gets a suffix where that is taken. */
export const wantedSlug = ({ slug, title }: { slug?: string | null | undefined; title: string }): string =>
  slug ? slug.normalize('NFC') : slugify(title);

/** The pages that one call creates, by the places of their changes in the input. */
export class NewPages {
  readonly #byPlace = new Map<string, NewPage>();

  add(path: ChangePath, page: NewPage): void {
    this.#byPlace.set(path.join('.'), page);
  }

  at(path: ChangePath): NewPage {
    const page = this.find(path);
    if (!page) throw new Error(`Nothing is created at ${path.join('.')}.`);
    return page;
  }

  find(path: ChangePath): NewPage | undefined {
    return this.#byPlace.get(path.join('.'));
  }

  get all(): NewPage[] {
    return [...this.#byPlace.values()];
  }
}
