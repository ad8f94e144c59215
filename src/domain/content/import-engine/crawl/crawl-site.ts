import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CrawlScope, crawlScope, pageAddress, segmentsInScope } from '../../../../lib/crawl/address.ts';
import { type CrawledPage, siteContents } from '../../../../lib/crawl/site-contents.ts';
import type { ConvertedPage } from '../../../../lib/html/convert-html.ts';
import { BoundedReport } from '../../../../lib/repository/bounded-report.ts';
import { info, keptAsWritten, type ReportEntry, warning } from '../../../../lib/repository/report.ts';
import { makeYielder } from '../../../../lib/tick.ts';
import { badInput } from '../../../../platform/errors/errors.ts';
import type { RepositorySource, SourceFile } from '../sources/source.ts';
import type { CrawlOptions } from './crawl-options.ts';
import { fetchImages, MAX_IMAGES } from './fetch-images.ts';
import { type FetchedPage, fetchPage, type PageFetchResult } from './fetch-page.ts';
import { type Robots, readRobots } from './robots.ts';
import { readSitemaps } from './sitemaps.ts';

/** Concurrent requests to a website, and the pause in milliseconds between batches. */
const MAX_CONCURRENT_REQUESTS = 4;
const PAUSE_MS = 50;

/** Maximum number of links between the first page and a page. */
const MAX_DEPTH = 32;
/** Maximum length of the URL of an image that is downloaded. */
const MAX_IMAGE_URL = 2_048;
/** Limits memory for websites that generate URLs endlessly. */
const MAX_ADDRESSES = 100_000;

/**
 * Reads the pages of a website below the first URL, by links and sitemaps, breadth first, within robots.txt and the
 * limits. Throws BAD_USER_INPUT if the first page cannot be read.
 */
export async function crawlSite(start: string, options: CrawlOptions): Promise<Omit<RepositorySource, 'read'>> {
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
  readonly #report = new BoundedReport();
  readonly #queue: Waiting[] = [];
  readonly #seen = new Set<string>();
  readonly #pages: (CrawledPage & { file: string; address: string; size: number })[] = [];
  /** The page that shows each image, by its URL. Within a page, URLs can be many and long. */
  readonly #images = new Map<string, string>();
  #imagesLeftOut = 0;
  readonly #fileNames = new Set(['readme.md']);
  readonly #aliases = new Map<string, string>();
  readonly #contents = new Map<string, string>();
  /** The largest navigation of a page. */
  #navigation: readonly string[] = [];
  readonly #until: number;
  #scope: CrawlScope = { origin: '', prefix: '/' };
  #robots: Robots = { allows: () => true, delay: undefined, sitemaps: [] };
  #bytes = 0;

  constructor(options: CrawlOptions) {
    this.#options = options;
    this.#until = performance.now() + options.limits.timeMs;
  }

  /** The first page may redirect to the actual location of the website, which sets the scope. */
  async begin(start: string): Promise<void> {
    const url = URL.parse(start);
    if (!url || !/^https?:$/.test(url.protocol)) throw badInput(['url'], 'Not a valid website URL.', 'INVALID_FORMAT');
    await this.#readRules(url.origin, url.href);
    const first = await this.#fetch({ address: url.href, depth: 0 });
    if ('failure' in first) throw badInput(['url'], `The website cannot be read: ${first.failure}.`);
    this.#scope = crawlScope(first.url);
    if (this.#scope.origin !== url.origin) await this.#readRules(this.#scope.origin, first.url);
    else this.#assertAllowed(first.url);
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
    if (typeof robots === 'string') throw badInput(['url'], `The website cannot be imported: ${robots}.`);
    this.#robots = robots;
    this.#assertAllowed(address);
  }

  #assertAllowed(address: string): void {
    if (!this.#robots.allows(address))
      throw badInput(['url'], 'The website cannot be imported: its robots.txt does not allow it.');
  }

  async go(): Promise<void> {
    const { limits, signal, overLimit } = this.#options;
    const { delay } = this.#robots;
    while (this.#queue.length > 0) {
      signal.throwIfAborted();
      const exceeded = this.#exceeded();
      if (exceeded !== undefined) {
        overLimit();
        return this.#leave(exceeded);
      }
      const most = Math.min(delay === undefined ? MAX_CONCURRENT_REQUESTS : 1, limits.pages - this.#pages.length);
      const batch = this.#queue.splice(0, most);
      const fetched = await Promise.all(batch.map((waiting) => this.#fetch(waiting)));
      for (const [index, waiting] of batch.entries()) await this.#take(waiting, fetched[index]);
      this.#tell();
      await sleep(delay === undefined ? PAUSE_MS : delay * 1000, undefined, { signal }).catch(() =>
        signal.throwIfAborted(),
      );
    }
  }

  #exceeded(): string | undefined {
    const { pages, bytes, timeMs } = this.#options.limits;
    if (this.#pages.length >= pages) return `more than ${pages} pages`;
    if (performance.now() > this.#until) return `more pages than can be read in ${timeMs / 60_000} minutes`;
    return this.#bytes > bytes ? `more than ${bytes} bytes of pages` : undefined;
  }

  #leave(what: string): void {
    const message = `The website has ${what}. ${this.#queue.length} of the URLs that were found were not read.`;
    this.#report.push(warning(this.#scope.origin + this.#scope.prefix, message));
  }

  #fetch({ address }: Waiting): Promise<PageFetchResult> {
    return fetchPage(this.#options, address);
  }

  async #take({ address, depth }: Waiting, outcome: PageFetchResult | undefined): Promise<void> {
    if (!outcome) return;
    if ('failure' in outcome) {
      if (outcome.isPage) this.#report.push(warning(address, `The page was not read: ${outcome.failure}.`));
      return;
    }
    const at = pageAddress(outcome.url, this.#scope);
    if (at === undefined)
      return this.#note(address, `The page redirects to ${outcome.url}, which is outside of the imported URL.`);
    if (!this.#robots.allows(outcome.url))
      return this.#note(address, `The page redirects to ${outcome.url}, which robots.txt does not allow.`);
    this.#bytes += outcome.bytes;
    const twin = this.#twinOf(at, outcome);
    if (twin !== undefined) {
      this.#aliases.set(address, twin).set(at, twin);
      const { canonical, links } = outcome.page;
      if (canonical === undefined || this.#contents.has(hashOf(outcome.page))) return;
      this.#note(address, `The page names ${canonical} as its canonical page, which was imported instead.`);
      if (depth < MAX_DEPTH) await this.#enqueueAll(links, depth + 1);
      return;
    }
    this.#seen.add(at);
    const file = await this.#keep(at, outcome);
    this.#aliases.set(address, file).set(at, file).set(outcome.url, file);
    if (depth >= MAX_DEPTH) return;
    await this.#enqueueAll(outcome.page.links, depth + 1);
  }

  #note(address: string, message: string): void {
    this.#report.push({ severity: 'info', outcome: 'dropped', file: address, message });
  }

  /** The file of the same page at another URL: its canonical URL, the target of a redirect, or identical content. */
  #twinOf(at: string, { page }: FetchedPage): string | undefined {
    const canonical = page.canonical === undefined ? undefined : pageAddress(page.canonical, this.#scope);
    return this.#aliases.get(canonical ?? at) ?? this.#aliases.get(at) ?? this.#contents.get(hashOf(page));
  }

  async #keep(address: string, { page }: FetchedPage): Promise<string> {
    const place = segmentsInScope(address, this.#scope);
    const name = place.map((part) => part.replace(/[^\p{L}\p{M}\p{N}._~-]+/gu, '-')).join('/');
    const file = this.#pages.length === 0 ? 'README.md' : this.#freeName(name || 'home');
    const container = join(this.#options.folder, `page-${this.#pages.length}.md`);
    await writeFile(container, page.markdown);
    this.#pages.push({ place, file, address, size: Buffer.byteLength(page.markdown) });
    this.#keepImages(address, page.images);
    this.#contents.set(hashOf(page), file);
    if (page.navigation.length > this.#navigation.length) this.#navigation = page.navigation;
    for (const { outcome, line, message } of page.notes) {
      const severity = outcome === 'dropped' ? 'warning' : 'info';
      this.#report.push({ severity, outcome, file: address, ...(line === undefined ? {} : { line }), message });
    }
    return file;
  }

  #keepImages(address: string, images: readonly string[]): void {
    for (const image of images) {
      if (this.#images.has(image) || !/^https?:/i.test(image)) continue;
      if (this.#images.size < MAX_IMAGES && image.length <= MAX_IMAGE_URL) this.#images.set(image, address);
      else this.#imagesLeftOut++;
    }
  }

  #freeName(name: string): string {
    for (let count = 1; ; count++) {
      const file = count === 1 ? `${name}.md` : `${name}-${count}.md`;
      if (this.#fileNames.has(file.toLowerCase())) continue;
      this.#fileNames.add(file.toLowerCase());
      return file;
    }
  }

  /** Matching every URL with robots.txt takes time: it yields to the event loop and stops at the deadline. */
  async #enqueueAll(links: readonly string[], depth: number): Promise<void> {
    const pause = makeYielder();
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
    else this.#note(address, 'The page was not read: robots.txt does not allow it.');
  }

  #tell(): void {
    const pagesRead = this.#pages.length;
    this.#options.progress?.({ pagesFound: pagesRead + this.#queue.length, pagesRead });
  }

  /** The files of the pages in the navigation. */
  #inOrder(): string[] {
    return this.#navigation.flatMap((link) => this.#aliases.get(pageAddress(link, this.#scope) ?? '') ?? []);
  }

  /** Notes on what has no note of its own. */
  #leftOut(): ReportEntry[] {
    const website = this.#scope.origin + this.#scope.prefix;
    const [images, notes] = [this.#imagesLeftOut, Object.values(this.#report.more).reduce((sum, count) => sum + count)];
    return [
      ...(images > 0
        ? [keptAsWritten(website, `${images} images keep their URL: it is too long, or there are too many images.`)]
        : []),
      ...(notes > 0 ? [info(website, `There are ${notes} further notes, which are not listed.`)] : []),
    ];
  }

  /** Everything that was read, as a source. */
  async source(): Promise<Omit<RepositorySource, 'read'>> {
    const { fetch, folder, limits, signal } = this.#options;
    const imageOptions = { folder, bytes: limits.bytes, signal, robots: this.#robots, until: this.#until };
    const images = await fetchImages(fetch, this.#images, imageOptions);
    this.#report.add(images.report.entries, images.report.more);
    const files: SourceFile[] = this.#pages.map(({ file, size }, index) => ({
      path: file,
      size,
      place: { container: join(folder, `page-${index}.md`) },
    }));
    return {
      files: [...files, ...images.files],
      contents: siteContents(this.#pages, this.#inOrder()),
      aliases: new Map([...this.#aliases, ...images.aliases]),
      names: new Map(this.#pages.map(({ file, address }) => [file, address])),
      report: [...this.#report.entries, ...this.#leftOut()],
    };
  }
}

const hashOf = ({ markdown }: ConvertedPage) => createHash('sha256').update(markdown).digest('base64');
