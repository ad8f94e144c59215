import type { Random } from './random.ts';
import type { Sentences } from './sentences.ts';

interface Page {
  id: string;
  type: string;
  title: string;
  pages?: Page[];
}

/** Sends a request to any server that runs. Answers status and body. */
export type Call = (method: string, path: string, body?: unknown) => Promise<Answer>;

interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the shapes of the REST API
  body: any;
}

/** Somebody who edits the documentation in the space, based on what was there when they looked. */
export class SpaceAuthor {
  readonly #call: Call;
  readonly #spaceId: string;
  readonly #random: Random;
  readonly #sentences: Sentences;
  #names = 0;

  constructor(call: Call, spaceId: string, random: Random, sentences: Sentences) {
    this.#call = call;
    this.#spaceId = spaceId;
    this.#random = random;
    this.#sentences = sentences;
  }

  /** One edit. Answers whether it was taken: an edit that contradicts a synchronization meanwhile is refused. */
  async edit(): Promise<boolean> {
    const at = `/v1/spaces/${this.#spaceId}/content`;
    const revision = (await this.#call('GET', at)).body.id;
    const { body } = await this.#call('GET', `/v1/spaces/${this.#spaceId}/revisions/${revision}/pages?limit=1000`);
    const pages = flat(body.pages).filter(({ type }) => type === 'document');
    const page = this.#random.pick(pages);
    const sentence = this.#sentences.write('Ben');
    const text = page ? await this.#textOf(revision, page.id) : '';
    const { changes, deletes } = this.#changes(pages, page, text, sentence);
    if (!changes) return true;
    const answer = await this.#call('POST', at, { changes: [changes], baseRevision: revision });
    if (answer.status === 409 || answer.status === 400) return false;
    if (answer.status !== 200)
      throw new Error(`The edit was answered with ${answer.status}: ${JSON.stringify(answer.body)}`);
    if (deletes) for (const { id } of deletes) this.#sentences.delete(await this.#textOf(revision, id));
    else if ('document' in changes || 'files' in changes)
      this.#sentences.keep(sentence, `${changes.operation} ${page?.title}`);
    return true;
  }

  #changes(pages: Page[], page: Page | undefined, text: string, sentence: string) {
    const kind = this.#random.below(10);
    if (!page || kind < 2) return { changes: this.#insertion(page, sentence) };
    if (kind < 5) return { changes: update(page, `${text.trimEnd()}\n\n${sentence}\n`) };
    if (kind < 7) return { changes: update(page, this.#extended(text, sentence)) };
    if (kind === 7) {
      const into = this.#random.pick(pages.filter((other) => other !== page && !flat([page]).includes(other)));
      return {
        changes: { operation: 'move_page', page: page.id, into: this.#random.chance(0.5) ? null : (into?.id ?? null) },
      };
    }
    if (kind === 8) {
      return { changes: { operation: 'update_page', page: page.id, title: `Ben renamed ${++this.#names}` } };
    }
    if (pages.length <= 6 || page === pages[0]) return { changes: this.#file(sentence) };
    return { changes: { operation: 'delete_page', page: page.id }, deletes: flat([page]) };
  }

  #insertion(page: Page | undefined, sentence: string) {
    return {
      operation: 'insert_page',
      title: `Ben ${++this.#names}`,
      ...(page && this.#random.chance(0.5) && { into: page.id }),
      document: { markdown: sentence },
    };
  }

  #file(sentence: string) {
    const base64 = Buffer.from(`${sentence}\n`).toString('base64');
    return { operation: 'insert_files', files: [{ name: `ben-${this.#random.below(3)}.txt`, base64 }] };
  }

  #extended(text: string, sentence: string): string {
    const lines = text.split('\n');
    const at = this.#random.pick(lines.flatMap((line, index) => (/^Sentence/.test(line) ? [index] : [])));
    return at === undefined ? `${text}\n\n${sentence}\n` : lines.with(at, `${lines[at]} ${sentence}`).join('\n');
  }

  async #textOf(revision: string, pageId: string): Promise<string> {
    const path = `/v1/spaces/${this.#spaceId}/revisions/${revision}/page/${pageId}?format=markdown`;
    return (await this.#call('GET', path)).body.markdown ?? '';
  }
}

const update = (page: Page, markdown: string) => ({
  operation: 'update_page',
  page: page.id,
  document: { markdown },
});

const flat = (pages: readonly Page[]): Page[] => pages.flatMap((page) => [page, ...flat(page.pages ?? [])]);
