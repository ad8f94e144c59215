import { TOKENS } from './fill/people.ts';
import { type Asked, questionsOf } from './search/questions.ts';
import { importBundle } from './search/sets.ts';
import { inService, withDatabase } from './with-service.ts';

/*
 * Where the right page stands in the results of searches: imports git bundles of documentation, asks for pages by
 * titles, identifiers and phrases that occur on them, and prints how often the page comes first, among the first three
 * and the first ten, and the processor time of a search.
 *
 *   node test/bench/search-ranks.ts BUNDLE… [--misses]
 */

const BUNDLES = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const SHOWS_MISSES = process.argv.includes('--misses');

if (BUNDLES.length === 0) {
  console.error('Usage: node test/bench/search-ranks.ts BUNDLE… [--misses]');
  process.exit(1);
}

/** Imports of large sets have statements that take minutes. */
const ENVIRONMENT = { STATEMENT_TIMEOUT_MS: '600000' };

await withDatabase((place) =>
  inService(
    place,
    async ({ app, url, organizationId }) => {
      const service = { url, token: TOKENS.admin, organizationId, db: app.services.db };
      for (const bundle of BUNDLES) {
        const spaceId = await importBundle(service, bundle, place.directory);
        const asked = await questionsOf(service.db, spaceId);
        await report(url, spaceId, bundle, asked);
      }
    },
    ENVIRONMENT,
  ),
);

/** Position of the first right page among the first hundred results; undefined if there is none. */
async function rankOf(url: string, spaceId: string, { query, rightIds }: Asked): Promise<number | undefined> {
  const address = `${url}/v1/spaces/${spaceId}/search?limit=100&query=${encodeURIComponent(query)}`;
  const response = await fetch(address, { headers: { authorization: `Bearer ${TOKENS.admin}` } });
  if (!response.ok) throw new Error(`${response.status} for "${query}": ${await response.text()}`);
  const { items } = (await response.json()) as { items: { id: string }[] };
  const place = items.findIndex(({ id }) => rightIds.has(id));
  return place < 0 ? undefined : place + 1;
}

async function report(url: string, spaceId: string, bundle: string, asked: Asked[]): Promise<void> {
  const ranks = new Map<Asked, number | undefined>();
  const begun = performance.now();
  for (const question of asked) ranks.set(question, await rankOf(url, spaceId, question));
  const each = (performance.now() - begun) / asked.length;
  console.log(`${bundle}: ${asked.length} questions, ${each.toFixed(1)} ms each`);
  for (const [kind, questions] of Map.groupBy(asked, (question) => question.kind)) {
    const share = (most: number) => {
      const good = questions.filter((question) => (ranks.get(question) ?? Number.POSITIVE_INFINITY) <= most);
      return `${Math.round((100 * good.length) / questions.length)} %`.padStart(6);
    };
    console.log(
      `  ${kind.padEnd(18)} ${questions.length} asked, first ${share(1)}, top 3 ${share(3)}, top 10 ${share(10)}`,
    );
  }
  if (!SHOWS_MISSES) return;
  for (const [{ kind, query, title }, rank] of ranks) {
    if (rank !== 1) console.log(`    ${rank ?? '-'}\t${kind}\t${query}\t(${title})`);
  }
}
