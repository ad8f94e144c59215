import { sha256 } from '../../../../lib/canonical.ts';
import type { EditedBody } from '../../../store/bodies/index.ts';
import type { PageText } from '../../page-texts/index.ts';
import { CharacterCount } from './character-count.ts';
import type { NewPages } from './new-pages.ts';

/**
 * The parsed texts that a call edits. They are parsed before the transaction, and again in it only if the page has
 * changed meanwhile.
 */
export class TextReads {
  readonly newPages: NewPages;
  readonly count = new CharacterCount();
  readonly #bodies = new Map<string, EditedBody>();
  readonly #markdown = new WeakMap<object, string>();
  readonly #begun = new Set<string>();

  constructor(newPages: NewPages) {
    this.newPages = newPages;
  }

  /** Whether this is the first edit of the text of a page in the call. Later ones depend on it. */
  begin(pageId: string): boolean {
    if (this.#begun.has(pageId)) return false;
    this.#begun.add(pageId);
    return true;
  }

  /** The body that a new text was read as, by `read` the first time. */
  async read(before: PageText, after: string, read: () => Promise<EditedBody>): Promise<EditedBody> {
    // Relative links in the text depend on the page.
    const key = `${before.pageId}/${before.documentHash}/${before.sourceHash}/${before.version}/${sha256(after)}`;
    const body = this.#bodies.get(key) ?? (await read());
    this.#bodies.set(key, body);
    return body;
  }

  /** The Markdown of new blocks of the input, by `print` the first time. */
  async markdownOf(content: object, print: () => Promise<string>): Promise<string> {
    const markdown = this.#markdown.get(content) ?? (await print());
    this.#markdown.set(content, markdown);
    return markdown;
  }
}
