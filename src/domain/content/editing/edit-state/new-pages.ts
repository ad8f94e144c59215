import { slugify } from '../../../../lib/slug.ts';
import type { ChangePath } from './change-path.ts';

/** A page that a call creates. */
export interface NewPage {
  pageId: string;
  /** Id or `ref` of the parent; null at the top level. */
  parentId: string | null;
  slug: string;
  title: string;
}

/** The requested slug of a page. It gets a suffix if a sibling has the same. */
export const requestedSlug = ({ slug, title }: { slug?: string | null | undefined; title: string }): string =>
  slug ? slug.normalize('NFC') : slugify(title);

/** The pages that a call creates, by the paths of their changes in the input. */
export class NewPages {
  readonly #byPlace = new Map<string, NewPage>();

  add(path: ChangePath, page: NewPage): void {
    this.#byPlace.set(path.join('.'), page);
  }

  at(path: ChangePath): NewPage {
    const page = this.find(path);
    if (!page) throw new Error(`NewPages.at() found no created page for the change at ${path.join('.')}.`);
    return page;
  }

  find(path: ChangePath): NewPage | undefined {
    return this.#byPlace.get(path.join('.'));
  }

  get all(): NewPage[] {
    return [...this.#byPlace.values()];
  }
}
