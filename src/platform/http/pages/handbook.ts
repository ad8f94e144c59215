import { readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { openOnce } from '../../../lib/open-once.ts';
import { ApiError } from '../../errors/errors.ts';
import { ownFile } from '../../own-files.ts';
import { markdownToHtml, plainTextOf } from './handbook-html.ts';
import { resultsHtml, searchForm } from './handbook-search.ts';
import { htmlPage, MARK } from './layout.ts';
import { staticPage } from './static-page.ts';

const HANDBOOK_PATH = '/handbook';

/** The handbook in the repository. The first start also loads it into a space. */
const FOLDER = fileURLToPath(ownFile('src/demo/handbook/'));

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

interface Handbook {
  /** By path below `/handbook`. */
  pages: ReadonlyMap<string, Handler>;
  search(query: string): Handler;
}

/**
 * Pages of the handbook, at the paths of their files without the extension, and a search. Only pages in the table of
 * contents are served.
 */
export function registerHandbook(server: FastifyInstance): void {
  const handbook = openOnce(readHandbook);
  const answer: Handler = async (request, reply) => {
    const { pages, search } = await handbook.use();
    const path = (request.params as { '*'?: string })['*'] ?? ''; // Fastify's router gives strings
    const { q } = request.query as { q?: string | string[] }; // Fastify's query parser
    const page = path === '' && q !== undefined ? search(String(q)) : pages.get(path.replace(/\/$/, ''));
    if (!page) throw new ApiError('NOT_FOUND', `The handbook has no page "${path.slice(0, 200)}".`);
    return page(request, reply);
  };
  server.get(HANDBOOK_PATH, answer);
  server.get(`${HANDBOOK_PATH}/*`, answer);
}

async function readHandbook(): Promise<Handbook> {
  const summary = await readFile(join(FOLDER, 'SUMMARY.md'), 'utf8');
  const contents = (await htmlOf(summary, 'SUMMARY.md')).replace(/<h1.*?<\/h1>/s, '').replaceAll('h2', 'h3');
  const files = [...summary.matchAll(/^ *\* \[(?<title>[^\]]+)\]\((?<file>[^)]+)\)$/gm)];
  const read = await Promise.all(
    files.map(async ({ groups: { title = '', file = '' } = {} }) => {
      const markdown = (await readFile(join(FOLDER, file), 'utf8')).replace(/^---\n.*?\n---\n/s, '');
      const path = `${HANDBOOK_PATH}/${pathOf(file)}`.replace(/\/$/, '');
      return { title, file, path, text: plainTextOf(markdown), content: await htmlOf(markdown, file) };
    }),
  );
  const pages = read.map(({ title, file, path, content }) => {
    const description = `Stemma's handbook: ${title}.`;
    const body = bodyOf(contents.replace(` href="${path}"`, ` href="${path}" aria-current="page"`), content);
    return [
      pathOf(file),
      staticPage(htmlPage({ title: `${title} · Stemma`, description, style: STYLE, body })),
    ] as const;
  });
  const search = (query: string) => {
    const body = bodyOf(contents, resultsHtml(read, query).source, query);
    return staticPage(
      htmlPage({ title: 'Search · Stemma', description: "Search of Stemma's handbook.", style: STYLE, body }),
    );
  };
  return { pages: new Map(pages), search };
}

const pathOf = (file: string) => file.replace(/\.md$/, '').replace(/^README$/, '');

/** Links between files become links between pages, and images are inlined. */
function htmlOf(markdown: string, file: string): Promise<string> {
  const inFolder = (path: string) => normalize(join(dirname(file), path));
  return markdownToHtml(markdown, {
    linkTo: (url) => {
      const [path = '', anchor] = url.split('#', 2);
      if (!path.endsWith('.md') || /^[a-z]+:/.test(path)) return url;
      const page = `${HANDBOOK_PATH}/${pathOf(inFolder(path))}`.replace(/\/$/, '');
      return anchor === undefined ? page : `${page}#${anchor}`;
    },
    imageAt: async (path) => `data:image/svg+xml;base64,${await readFile(join(FOLDER, inFolder(path)), 'base64')}`,
  });
}

const bodyOf = (
  contents: string,
  html: string,
  query = '',
) => `<header><a class="brand" href="/">${MARK} Stemma</a>${searchForm(HANDBOOK_PATH, query).source}<a class="jump" href="#contents">Contents</a></header>
<div class="columns">
<main>${html}</main>
<nav id="contents" aria-label="Contents of the handbook">${contents}</nav>
</div>`;

const STYLE = `
header { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; align-items: center; justify-content: space-between; padding: .75rem 1.25rem; border-bottom: 1px solid var(--line); }
.columns { max-width: 70rem; margin: 0 auto; padding: 1.5rem 1.25rem 4rem; display: grid; gap: 1.5rem 3rem; }
nav { font-size: .9375rem; border-top: 1px solid var(--line); padding-top: 1rem; }
@media (min-width: 56rem) {
  .columns { grid-template-columns: 15rem minmax(0, 1fr); }
  nav { order: -1; border: 0; padding: 0; }
  .jump { display: none; }
}
nav h3 { margin: 1rem 0 .25rem; color: var(--soft); font-size: .8125rem; font-weight: 600; }
nav ul { margin: 0; padding: 0 0 0 .75rem; list-style: none; }
#contents > ul { padding: 0; }
nav li { padding: .125rem 0; }
nav a[aria-current] { color: var(--text); font-weight: 600; text-decoration: none; }
header input { font: inherit; width: 16rem; max-width: 60vw; padding: .25rem .75rem; border: 1px solid var(--soft); border-radius: .5rem; background: var(--back); color: var(--text); }
.results { padding: 0; list-style: none; }
.results p { margin: 0 0 1rem; color: var(--soft); overflow-wrap: anywhere; }
main { min-width: 0; max-width: 44rem; }
h1 { margin-top: 0; line-height: 1.25; text-wrap: balance; }
h2 { margin-top: 2.5rem; line-height: 1.3; }
pre, table { display: block; overflow-x: auto; }
pre { padding: .875rem 1rem; border-radius: .5rem; background: var(--raised); }
code { font-size: .9em; }
:not(pre) > code { overflow-wrap: anywhere; }
table { border-collapse: collapse; }
th, td { padding: .5rem .75rem .5rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
img { max-width: 100%; height: auto; background: #fff; }
`;
