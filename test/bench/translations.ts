import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { TOKENS } from './fill/people.ts';
import { withService } from './with-service.ts';

/*
 * Translates a space with the embedded provider into three languages, and then one changed sentence: durations, segments that
 * were sent, shares that the memory had, and how long pages of both spaces take to be read.
 *
 *   node test/bench/translations.ts [PAGES] [FOLDER OF MARKDOWN]
 */

const COUNT = Number(process.argv[2] ?? 200);
const FOLDER = process.argv[3] ?? join(import.meta.dirname, '..', '..', 'src', 'demo', 'handbook');
const AT_ONCE = 50;
const READS = 200;
const SENTENCE = 'This sentence is about to change.';

await withService(({ url, organizationId }) => measure(url, organizationId));

async function measure(url: string, organizationId: string): Promise<void> {
  const { space } = await mutate(url, 'createSpace', { organizationId, title: 'Guide', empty: true }, 'space { id }');
  const pageIds = await fill(url, space.id);
  const all = `${url}/v1/orgs/${organizationId}/translations`;
  const made: { language: string; id: string }[] = [];
  for (const language of ['de', 'fr', 'ja', 'de']) {
    const began = performance.now();
    const source = { space: space.id, language: 'en' };
    const { id } = await ask(all, 'POST', { source, language });
    await ask(`${all}/${id}/run`, 'POST');
    report(`${pageIds.length} pages to ${language}`, began, await whenDone(`${all}/${id}`, 1));
    made.push({ language, id });
  }
  const began = performance.now();
  const document = { markdown: `${SENTENCE.replace('is about to change', 'has changed')} It stays as it is.` };
  const changes = [{ updatePage: { pageId: pageIds.at(-1), document } }];
  await mutate(url, 'updateSpaceContent', { spaceId: space.id, changes }, 'revision { id }');
  for (const { language, id } of made) {
    report(`One changed sentence to ${language}, with the wait`, began, await whenDone(`${all}/${id}`, 2));
  }
  const { result } = await ask(`${all}/${made[0]?.id}`, 'GET');
  for (const spaceId of [space.id, result.space]) {
    console.log(
      `Reading a page of ${spaceId === space.id ? 'the source' : 'the translated space'}: ${await reads(spaceId)}`,
    );
  }

  async function reads(spaceId: string): Promise<string> {
    const milliseconds: number[] = [];
    for (let index = 0; index < READS; index++) {
      const start = performance.now();
      await ask(`${url}/v1/spaces/${spaceId}/content/page/${pageIds[index % pageIds.length]}?format=markdown`, 'GET');
      milliseconds.push(performance.now() - start);
    }
    return `${(milliseconds.toSorted((a, b) => a - b)[READS / 2] ?? 0).toFixed(1)} ms (median)`;
  }
}

/** Pages of the folder, each with a number in its headings and sentences so that hardly any two are the same. */
async function fill(url: string, spaceId: string): Promise<string[]> {
  const names = (await readdir(FOLDER, { recursive: true })).filter((name) => name.endsWith('.md')).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(FOLDER, name), 'utf8')));
  const pages = Array.from({ length: COUNT - 1 }, (_, index) => {
    const text = (texts[index % texts.length] ?? '').replace(/^---\n[\s\S]*?\n---\n/, '');
    const round = Math.floor(index / texts.length);
    return {
      title: `Page ${index}`,
      markdown: round === 0 ? text : text.replace(/\. (?=[A-Z])/g, ` in part ${round}. `),
    };
  });
  pages.push({ title: 'Changing', markdown: `${SENTENCE} It stays as it is.` });
  const pageIds: string[] = [];
  for (let start = 0; start < pages.length; start += AT_ONCE) {
    const changes = pages
      .slice(start, start + AT_ONCE)
      .map(({ title, markdown }) => ({ insertPage: { title, document: { markdown } } }));
    const updated = await mutate(url, 'updateSpaceContent', { spaceId, changes }, 'pageIds');
    pageIds.push(...updated.pageIds);
  }
  return pageIds;
}

interface Stats {
  latestRunDuration: number;
  latestPages: number;
  latestSegments: number;
  latestSentSegments: number;
  untranslatedSegments: number;
}

async function whenDone(address: string, runs: number): Promise<Stats> {
  for (let tries = 0; tries < 1_800; tries++) {
    const { status, stats, lastError } = await ask(address, 'GET');
    if (lastError) throw new Error(lastError);
    if (status === 'completed' && stats.runs >= runs) return stats;
    await sleep(100);
  }
  throw new Error('The run has not ended after three minutes.');
}

function report(what: string, began: number, stats: Stats): void {
  const { latestPages, latestSegments, latestSentSegments, untranslatedSegments } = stats;
  const share = latestSegments === 0 ? 1 : 1 - latestSentSegments / latestSegments;
  console.log(
    `${what}: ${((performance.now() - began) / 1_000).toFixed(1)} s; ${latestPages} pages written, ${latestSentSegments} of ` +
      `${latestSegments} segments sent, ${(100 * share).toFixed(1)}% known, ${untranslatedSegments} not translated`,
  );
}

// biome-ignore lint/suspicious/noExplicitAny: answers of the API.
async function ask(address: string, method: string, body?: object): Promise<any> {
  const response = await fetch(address, {
    method,
    headers: { authorization: `Bearer ${TOKENS.admin}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status}: ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

// biome-ignore lint/suspicious/noExplicitAny: answers of the API.
async function mutate(url: string, name: string, input: object, selection: string): Promise<any> {
  const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input`;
  const query = `mutation ($input: ${type}!) { ${name}(input: $input) { ${selection} } }`;
  const { data, errors } = await ask(`${url}/graphql`, 'POST', { query, variables: { input } });
  if (errors) throw new Error(JSON.stringify(errors));
  return data[name];
}
