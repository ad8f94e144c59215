import { expect, vi } from 'vitest';
import { runTranslationJob } from '../../../src/domain/sources/translations/runs/run-translation-job.ts';
import { jobContext } from '../../../src/platform/jobs/job.ts';
import { untitled } from '../../without-title.ts';
import type { World } from '../../world.ts';

/** Changes in one call. */
const AT_ONCE = 50;

/** Translations of the world's organization. Runs are executed in the test, by the job itself. */
export function translating({ admin, organizationId, app }: World) {
  const all = `/v1/orgs/${organizationId}/translations`;
  const db = app.services.db;

  /** A space whose pages have these bodies as Markdown, by title. */
  async function makeSpace(pages: Record<string, string>, language?: string) {
    const { space } = await admin.mutate(
      'createSpace',
      {
        organizationId,
        title: 'Guide',
        empty: true,
        ...(language && { language: language.toUpperCase().replace('-', '_') }),
      },
      'space { id }',
    );
    const pageIds: Record<string, string> = {};
    const wanted = Object.entries(pages);
    for (let start = 0; start < wanted.length; start += AT_ONCE) {
      const some = wanted.slice(start, start + AT_ONCE);
      const changes = some.map(([title, markdown]) => ({ insertPage: { title, document: { markdown } } }));
      const updated = await admin.mutate('updateSpaceContent', { spaceId: space.id, changes }, 'pageIds');
      for (const [index, [title]] of some.entries()) pageIds[title] = updated.pageIds[index];
    }
    return { spaceId: space.id as string, pageIds };
  }

  /** Sets the body of a page in the primary content. */
  const write = (spaceId: string, pageId: string, markdown: string) =>
    admin.mutate(
      'updateSpaceContent',
      { spaceId, changes: [{ updatePage: { pageId, document: { markdown } } }] },
      'revision { id }',
    );

  const create = async (spaceId: string, language = 'de', instructions?: object) => {
    const { body, status } = await admin.post(all, {
      source: { space: spaceId, language: 'en' },
      language,
      ...(instructions && { instructions }),
    });
    expect([body.error, status]).toEqual([undefined, 201]);
    const row = await db
      .selectFrom('translation')
      .where('id', '=', body.id)
      .select('translatedSpaceId')
      .executeTakeFirstOrThrow();
    return { translationId: body.id as string, translatedId: row.translatedSpaceId };
  };

  const read = async (translationId: string) => (await admin.get(`${all}/${translationId}`)).body;

  /** Executes the job of the run that is queued for a translation, or that of an earlier one. */
  async function work(translationId: string, number?: number) {
    const queued = await db
      .selectFrom('translation')
      .where('id', '=', translationId)
      .select('runNumber')
      .executeTakeFirstOrThrow();
    const runNumber = number ?? queued.runNumber;
    const ctx = jobContext(app.services, 'test');
    await runTranslationJob.run(ctx, { translationId, runNumber }, { signal: AbortSignal.timeout(60_000), retries: 3 });
    return read(translationId);
  }

  /** Starts a run by hand, and executes it. */
  async function run(translationId: string) {
    const { status } = await admin.post(`${all}/${translationId}/run`);
    expect(status).toBe(204);
    return work(translationId);
  }

  const page = async (spaceId: string, pageId: string) =>
    untitled((await admin.get(`/v1/spaces/${spaceId}/content/page/${pageId}?format=markdown`)).body);

  const until = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 25_000, interval: 50 });

  return { all, db, makeSpace, write, create, read, work, run, page, until };
}
