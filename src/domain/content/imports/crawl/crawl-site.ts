import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pageAddress, placeOf, type Scope, scopeOf } from '../../../../lib/crawl/address.ts';
import { type PlacedPage, siteContents } from '../../../../lib/crawl/site-contents.ts';
import type { ConvertedPage } from '../../../../lib/html/convert-html.ts';
import { makePause } from '../../../../lib/pause.ts';
import { type ReportEntry, warning } from '../../../../lib/repository/report.ts';
import { badInput } from '../../../../platform/errors.ts';
import type { GuardedFetch } from '../../../../platform/outbound/guarded-fetch.ts';
import type { Source, SourceFile } from '../sources/source.ts';
import { fetchImages } from './fetch-images.ts';
import { fetchPage, type Outcome, type Read } from './fetch-page.ts';
import type { PageReader } from './page-reader.ts';
import { type Robots, readRobots } from './robots.ts';
import { readSitemaps } from './sitemaps.ts';

/** How much of a site is read. */
export interface CrawlLimits {
  pages: number;
  /** Of HTML, and again of images. */
  bytes: number;
  /** Milliseconds after which no further page is asked for; what was read by then is what there is. */
  timeMs: number;
}

export interface CrawlOptions {
  fetch: GuardedFetch;
  readPage: PageReader;
  /** For what was read. */
  folder: string;
  limits: CrawlLimits;
  signal: AbortSignal;
  progress?: ((counts: { found: number; read: number }) => void) | undefined;
  /** What to do where a site has more pages than the limit: refuse it, or read so many. */
  overLimit(pages: number): void;
}

/** Requests to a site at a time, and milliseconds from the beginning of some to that of the next. */
const AT_ONCE = 4;
const PAUSE_MS = 50;

/** Links away from the first page. */
const MAX_DEPTH = 32;
/** Addresses that are remembered; a site without an end has more. */
const MAX_ADDRESSES = 100_000;

/**
 * Reads a site: the pages that its links and sitemaps lead to below the address that it begins with, breadth first, as
 * far as its robots.txt and the limits let it. Refuses a site of which the first page cannot be read.
 */
export async function crawlSite(start: string, options: CrawlOptions): Promise<Omit<Source, 'read'>> {
  const crawl = new Crawl(options);
  await crawl.begin(start);
  await crawl.go();
  return crawl.source();
}

interface Waiting {
  address: string;
  depth: number;
}

class Crawl {
  readonly #options: CrawlOptions;
  readonly #report: ReportEntry[] = [];
  readonly #queue: Waiting[] = [];
  readonly #seen = new Set<string>();
  readonly #pages: (PlacedPage & { file: string; address: string; size: number; images: string[] })[] = [];
  readonly #taken = new Set(['readme.md']);
  readonly #aliases = new Map<string, string>();
  readonly #contents = new Map<string, string>();
  readonly #until: number;
  #scope: Scope = { origin: '', prefix: '/' };
  #robots: Robots = { allows: () => true, delay: undefined, sitemaps: [] };
  #bytes = 0;

  constructor(options: CrawlOptions) {
    this.#options = options;
    this.#until = performance.now() + options.limits.timeMs;
  }

  /** The first page decides where the site is: it may redirect to where it really stands. */
  async begin(start: string): Promise<void> {
    const url = URL.parse(start);
    if (!url || !/^https?:$/.test(url.protocol)) throw badInput(['url'], 'This is no address of a website.');
    await this.#readRules(url.origin, url.href);
    const first = await this.#fetch({ address: url.href, depth: 0 });
    if ('failure' in first) throw badInput(['url'], `The site cannot be read: ${first.failure}.`);
    this.#scope = scopeOf(first.url);
    if (this.#scope.origin !== url.origin) await this.#readRules(this.#scope.origin, first.url);
    const address = pageAddress(first.url, this.#scope) ?? first.url;
    this.#seen.add(address);
    await this.#take({ address, depth: 0 }, first);
    this.#aliases.set(start, this.#pages[0]?.file ?? '');
    const { fetch, signal } = this.#options;
    const listed = await readSitemaps(fetch, this.#scope.origin, this.#robots.sitemaps);
    signal.throwIfAborted();
    await this.#enqueueAll(listed, 1);
  }

  async #readRules(origin: string, address: string): Promise<void> {
    const robots = await readRobots(this.#options.fetch, origin);
    if (typeof robots === 'string') throw badInput(['url'], `The site may not be read: ${robots}.`);
    if (!robots.allows(address)) throw badInput(['url'], 'The site may not be read: its robots.txt says so.');
    this.#robots = robots;
  }

  async go(): Promise<void> {
    const { limits, signal, overLimit } = this.#options;
    const { delay } = this.#robots;
    while (this.#queue.length > 0) {
      signal.throwIfAborted();
      if (this.#pages.length >= limits.pages) {
        overLimit(this.#pages.length + this.#queue.length);
        return this.#leave(`more than ${limits.pages} pages`);
      }
      if (performance.now() > this.#until)
        return this.#leave(`more pages than can be read in ${limits.timeMs / 60_000} minutes`);
      if (this.#bytes > limits.bytes) return this.#leave(`more than ${limits.bytes} bytes of pages`);
      const most = Math.min(delay === undefined ? AT_ONCE : 1, limits.pages - this.#pages.length);
      const batch = this.#queue.splice(0, most);
      const fetched = await Promise.all(batch.map((waiting) => this.#fetch(waiting)));
      for (const [index, waiting] of batch.entries()) await this.#take(waiting, fetched[index]);
      this.#tell();
      await sleep(delay === undefined ? PAUSE_MS : delay * 1000, undefined, { signal }).catch(() =>
        signal.throwIfAborted(),
      );
    }
  }

  #leave(what: string): void {
    const message = `The site has ${what}; ${this.#queue.length} addresses that were found were left out.`;
    this.#report.push(warning(this.#scope.origin + this.#scope.prefix, message));
  }

  #fetch({ address }: Waiting): Promise<Outcome> {
    return fetchPage(this.#options, address);
  }

  async #take({ address, depth }: Waiting, outcome: Outcome | undefined): Promise<void> {
    if (!outcome) return;
    if ('failure' in outcome) {
      if (outcome.isPage) this.#report.push(warning(address, `The page was not read: ${outcome.failure}.`));
      return;
    }
    const at = pageAddress(outcome.url, this.#scope);
    if (at === undefined) return this.#note(address, `It redirects to ${outcome.url}, which is not below the address.`);
    this.#bytes += outcome.bytes;
    const twin = this.#twinOf(at, outcome);
    if (twin !== undefined) return void this.#aliases.set(address, twin).set(at, twin);
    this.#seen.add(at);
    const file = await this.#keep(at, outcome);
    this.#aliases.set(address, file).set(at, file).set(outcome.url, file);
    if (depth >= MAX_DEPTH) return;
    await this.#enqueueAll(outcome.page.links, depth + 1);
  }

  #note(address: string, message: string): void {
    this.#report.push({ severity: 'info', outcome: 'dropped', file: address, message });
  }

  /** The same page by another address: the one that it names its own, one that was redirected to, or the same words. */
  #twinOf(at: string, { page }: Read): string | undefined {
    const own = page.canonical === undefined ? undefined : pageAddress(page.canonical, this.#scope);
    return this.#aliases.get(own ?? at) ?? this.#aliases.get(at) ?? this.#contents.get(hashOf(page));
  }

  async #keep(address: string, { page }: Read): Promise<string> {
    const place = placeOf(address, this.#scope);
    const name = place.map((part) => part.replace(/[^\p{L}\p{M}\p{N}._~-]+/gu, '-')).join('/');
    const file = this.#pages.length === 0 ? 'README.md' : this.#freeName(name || 'home');
    const container = join(this.#options.folder, `page-${this.#pages.length}.md`);
    await writeFile(container, page.markdown);
    this.#pages.push({ place, file, address, size: Buffer.byteLength(page.markdown), images: page.images });
    this.#contents.set(hashOf(page), file);
    for (const { outcome, line, message } of page.notes) {
      const severity = outcome === 'dropped' ? 'warning' : 'info';
      this.#report.push({ severity, outcome, file: address, ...(line === undefined ? {} : { line }), message });
    }
    return file;
  }

  #freeName(name: string): string {
    for (let count = 1; ; count++) {
      const file = count === 1 ? `${name}.md` : `${name}-${count}.md`;
      if (this.#taken.has(file.toLowerCase())) continue;
      this.#taken.add(file.toLowerCase());
      return file;
    }
  }

  /** Each address is held against all rules of the robots.txt: others are served in between, and the time is kept to. */
  async #enqueueAll(links: readonly string[], depth: number): Promise<void> {
    const pause = makePause();
    for (const link of links) {
      if (performance.now() > this.#until || this.#seen.size >= MAX_ADDRESSES) return;
      this.#enqueue(link, depth);
      await pause();
      this.#options.signal.throwIfAborted();
    }
  }

  #enqueue(link: string, depth: number): void {
    const address = pageAddress(link, this.#scope);
    if (address === undefined || this.#seen.has(address)) return;
    this.#seen.add(address);
    if (this.#robots.allows(address)) this.#queue.push({ address, depth });
    else this.#note(address, 'The robots.txt of the site does not let it be read.');
  }

  #tell(): void {
    const read = this.#pages.length;
    this.#options.progress?.({ found: read + this.#queue.length, read });
  }

  /** All that was read, as a repository. */
  async source(): Promise<Omit<Source, 'read'>> {
    const { fetch, folder, limits, signal } = this.#options;
    const addresses = this.#pages.flatMap(({ address, images }) => images.map((image) => ({ image, page: address })));
    const wanted = { folder, bytes: limits.bytes, signal, robots: this.#robots, until: this.#until };
    const images = await fetchImages(fetch, addresses, wanted);
    const files: SourceFile[] = this.#pages.map(({ file, size }, index) => ({
      path: file,
      size,
      place: { container: join(folder, `page-${index}.md`) },
    }));
    return {
      files: [...files, ...images.files],
      contents: siteContents(this.#pages),
      aliases: new Map([...this.#aliases, ...images.aliases]),
      names: new Map(this.#pages.map(({ file, address }) => [file, address])),
      report: [...this.#report, ...images.report],
    };
  }
}

const hashOf = ({ markdown }: ConvertedPage) => createHash('sha256').update(markdown).digest('base64');
