import { sql } from 'kysely';
import type { Database } from '../../../src/platform/database/tables.ts';

/** A query with the pages that answer it. */
export interface Asked {
  kind: 'title' | 'title and parent' | 'identifier' | 'phrase';
  query: string;
  /** The title of a right page. */
  title: string;
  rightIds: ReadonlySet<string>;
}

/** Questions of each kind per space. */
const EACH = 50;

interface StoredPage {
  id: string;
  title: string;
  parent: string | null;
  headings: string;
  body: string;
}

/**
 * Questions that have one answer, the same ones for the same pages: titles; titles that several pages have, with the
 * title of a parent; identifiers that occur on one page, or in the title or a heading of one page; and phrases of three
 * to six words, or of eight characters in scripts without spaces, that occur on one page.
 */
export async function questionsOf(db: Database, spaceId: string): Promise<Asked[]> {
  const pages = await readPages(db, spaceId);
  const draw = drawFrom(pages);
  return [
    ...sample(draw, titleQuestions(pages)),
    ...sample(draw, parentQuestions(pages)),
    ...sample(draw, identifierQuestions(pages)),
    ...phraseQuestions(draw, pages),
  ];
}

async function readPages(db: Database, spaceId: string): Promise<StoredPage[]> {
  const { rows } = await sql<StoredPage>`
    select h.page_id as id, h.title, p.title as parent, coalesce(s.headings, '') as headings, coalesce(s.body, '') as body
    from head_page h left join head_page p on p.space_id = h.space_id and p.page_id = h.parent_id
    left join lateral (
      select string_agg(d.title, e'\n' order by d.position) as headings, string_agg(d.body, e'\n' order by d.position) as body
      from document_section d where d.organization_id = h.organization_id and d.document_hash = h.document_hash) s on true
    where h.space_id = ${spaceId} and h.kind = 'document' order by h.path`.execute(db);
  return rows;
}

const lower = (text: string) => text.toLowerCase().trim();

const asked = (kind: Asked['kind'], query: string, right: readonly StoredPage[]): Asked => ({
  kind,
  query,
  title: right[0]?.title ?? '',
  rightIds: new Set(right.map(({ id }) => id)),
});

const titleQuestions = (pages: readonly StoredPage[]): Asked[] =>
  [...Map.groupBy(pages, ({ title }) => lower(title)).values()].map((same) =>
    asked('title', same[0]?.title ?? '', same),
  );

const parentQuestions = (pages: readonly StoredPage[]): Asked[] =>
  [...Map.groupBy(pages, ({ title, parent }) => lower(`${parent} ${title}`))].flatMap(([query, same]) => {
    const [first] = same;
    const isShared = pages.filter(({ title }) => lower(title) === lower(first?.title ?? '')).length > same.length;
    const isClear = !pages.some(({ title }) => lower(title) === query);
    return first?.parent && (isShared || first.title.split(/\s+/).length < 3) && isClear
      ? [asked('title and parent', `${first.parent} ${first.title}`, same)]
      : [];
  });

/** Names with underscores, dots or hyphens, options of commands, and camel case. */
const IDENTIFIER =
  /(?<![\w.-])(?:--[a-z][a-z0-9]*(?:-[a-z0-9]+)*|[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+|[a-z][a-z0-9]+(?:\.[a-z][a-z0-9]+){2,}|[a-z]+[A-Z][a-z]+[A-Za-z]*|[A-Z][a-z]+[A-Z][A-Za-z]+)(?![\w.-])/g;

function identifierQuestions(pages: readonly StoredPage[]): Asked[] {
  const uses = new Map<string, { titled: Set<StoredPage>; anywhere: Set<StoredPage> }>();
  const note = (page: StoredPage, text: string, where: 'titled' | 'anywhere') => {
    for (const [name] of text.matchAll(IDENTIFIER)) {
      if (name.length > 40 || /https?|www|\.(?:com|org|html|md)/.test(name)) continue;
      const use = uses.get(name) ?? { titled: new Set(), anywhere: new Set() };
      use[where].add(page);
      uses.set(name, use);
    }
  };
  for (const page of pages) {
    note(page, `${page.title}\n${page.headings}`, 'titled');
    note(page, page.body, 'anywhere');
  }
  return [...uses].flatMap(([name, { titled, anywhere }]) => {
    if (titled.size === 1) return [asked('identifier', name, [...titled])];
    return titled.size === 0 && anywhere.size === 1 ? [asked('identifier', name, [...anywhere])] : [];
  });
}

const RUN = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]{8,}/u;

function phraseQuestions(draw: (below: number) => number, pages: readonly StoredPage[]): Asked[] {
  const flat = pages.map(({ body }) => lower(body).replace(/\s+/g, ' '));
  const questions: Asked[] = [];
  for (let tries = 0; tries < EACH * 20 && questions.length < EACH; tries++) {
    const page = pages[draw(pages.length)];
    const lines = page?.body.split('\n').filter((line) => line.length > 30) ?? [];
    const line = lines[draw(lines.length)] ?? '';
    const phrase = RUN.test(line) ? runIn(draw, line) : wordsIn(draw, line);
    if (phrase === undefined) continue;
    const right = pages.filter((_, index) => flat[index]?.includes(lower(phrase)));
    if (right.length === 1) questions.push(asked('phrase', phrase, right));
  }
  return questions;
}

function runIn(draw: (below: number) => number, line: string): string | undefined {
  const runs = line.match(new RegExp(RUN.source, 'gu')) ?? [];
  const run = [...(runs[draw(runs.length)] ?? '')];
  const start = draw(run.length - 7);
  return run.length < 8 ? undefined : run.slice(start, start + 8).join('');
}

function wordsIn(draw: (below: number) => number, line: string): string | undefined {
  const runs = line.split(/[^\p{L}\p{N} '-]+/u).filter((part) => part.trim().split(/\s+/).length >= 6);
  const words = (runs[draw(runs.length)] ?? '').trim().split(/\s+/);
  const count = 3 + draw(4);
  const start = draw(words.length - count + 1);
  return words.length < 6 ? undefined : words.slice(start, start + count).join(' ');
}

/** Numbers that depend on the titles only (a linear congruential generator; Numerical Recipes). */
function drawFrom(pages: readonly StoredPage[]): (below: number) => number {
  let state = pages.reduce((sum, { title }) => (sum * 31 + title.length) >>> 0, 7);
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return below <= 0 ? 0 : Math.floor((state / 2 ** 32) * below);
  };
}

function sample(draw: (below: number) => number, all: Asked[]): Asked[] {
  const left = [...all];
  const taken: Asked[] = [];
  while (taken.length < EACH && left.length > 0) taken.push(...left.splice(draw(left.length), 1));
  return taken;
}
