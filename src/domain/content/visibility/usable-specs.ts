import { LRUCache } from 'lru-cache';
import { hashOf } from '../../../lib/canonical.ts';
import type { Use } from '../../../lib/document/uses.ts';
import type { Context } from '../../../platform/context/context.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import { badInput } from '../../../platform/errors/errors.ts';
import { accessInOrganization, hasRoleToRead } from '../../people/access/index.ts';
import { usesOfWritten } from '../../store/bodies/index.ts';
import { type RevisionRow, toHex } from '../../store/revisions/index.ts';
import { followUses } from './follow-uses.ts';
import { loadUsedContent, usesOfFields, usesOfSource } from './load-used-content.ts';
import { visibleContent } from './visible-content.ts';

/** Content that is about to be stored. */
export interface GivenContent {
  bodies?: readonly { uses: readonly Use[] }[];
  /** Fields of pages. */
  fields?: readonly object[];
  /** Sources of computed reusable contents. */
  sources?: readonly (object | undefined)[];
}

/** A space, and the revisions whose content counts besides its primary content. */
interface GivenPlace {
  organizationId: string;
  spaceId: string;
  revisions: readonly RevisionRow[];
}

/**
 * Throws BAD_USER_INPUT if content names an OpenAPI specification that the caller cannot use. Callers with a role in
 * the organization can use all of them. Others can use public ones, and those that the content of the space refers to
 * already: whoever edits a space could read any specification otherwise. Hidden and absent ones answer alike.
 */
export async function rejectHiddenSpecs(
  ctx: Context,
  place: GivenPlace,
  { bodies = [], fields = [], sources = [] }: GivenContent,
  path: (string | number)[],
): Promise<void> {
  const uses = [
    ...bodies.flatMap((body) => body.uses),
    ...fields.flatMap((each) => usesOfFields(each)),
    ...sources.flatMap(usesOfSource),
  ];
  await rejectSpecs(ctx, place, uses, path);
}

/** The same for bodies that the present transaction has stored, by their hashes. */
export async function rejectHiddenSpecsIn(
  ctx: Context,
  place: GivenPlace,
  { hashes, fields }: { hashes: readonly string[]; fields: readonly object[] },
  path: (string | number)[],
): Promise<void> {
  if (await hasRole(ctx, place.organizationId)) return;
  const bodies = [{ uses: await usesOfWritten(ctx, place.organizationId, hashes) }];
  await rejectHiddenSpecs(ctx, place, { bodies, fields }, path);
}

async function rejectSpecs(
  ctx: Context,
  { organizationId, spaceId, revisions }: GivenPlace,
  uses: readonly Use[],
  path: (string | number)[],
): Promise<void> {
  const slugs = new Set(uses.flatMap(({ kind, id }) => (kind === 'openapi' ? id : [])));
  const [hidden] = await hiddenSpecs(ctx, organizationId, slugs, async function* () {
    yield* revisions;
    const head = await ctx.db
      .selectFrom('space as s')
      .innerJoin('revision as r', 'r.id', 's.revisionId')
      .where('s.id', '=', spaceId)
      .selectAll('r')
      .executeTakeFirst();
    if (head) yield head;
  });
  if (hidden === undefined) return;
  throw badInput(
    path,
    `There is no OpenAPI specification "${hidden}" that you can use here. Without a role in the organization, you can use public specifications and those that the content of the space refers to already.`,
    'NOT_FOUND',
  );
}

/** Whether the caller, without a role in the organization, cannot use a specification in a revision of a space. */
export const isHiddenSpec = async (ctx: Context, revision: RevisionRow, slug: string): Promise<boolean> => {
  const hidden = await hiddenSpecs(ctx, revision.organizationId, new Set([slug]), async function* () {
    yield revision;
  });
  return hidden.length > 0;
};

/**
 * The specifications among those with these slugs that the caller cannot use. Revisions are read until all are found.
 */
async function hiddenSpecs(
  ctx: Context,
  organizationId: string,
  slugs: ReadonlySet<string>,
  revisions: () => AsyncIterable<RevisionRow>,
): Promise<string[]> {
  if (slugs.size === 0 || (await hasRole(ctx, organizationId))) return [];
  const rows = await ctx.db
    .selectFrom('openapi_spec')
    .where('organizationId', '=', organizationId)
    .where('visibility', '=', 'public')
    .where('slug', '=', anyOf([...slugs]))
    .select('slug')
    .execute();
  const remaining = new Set(slugs);
  for (const { slug } of rows) remaining.delete(slug);
  if (remaining.size === 0) return [];
  for await (const revision of revisions()) {
    const present = await specsIn(ctx, revision);
    for (const slug of remaining) if (present.has(slug)) remaining.delete(slug);
    if (remaining.size === 0) break;
  }
  return [...remaining];
}

/** Not for guests, applications that are limited to spaces, visitors and callers without a token. */
const hasRole = async (ctx: Context, organizationId: string): Promise<boolean> =>
  ((await accessInOrganization(ctx, organizationId))?.role ?? null) !== null;

/** Specifications of whole revisions, by what they follow from. */
const remembered = new LRUCache<string, { slugs: ReadonlySet<string>; hasConditions: boolean }>({
  maxSize: 100_000,
  sizeCalculation: ({ slugs }) => slugs.size + 1,
});

/**
 * Slugs of the specifications that the content of a revision refers to, as far as the caller sees it. `if` blocks whose
 * conditions the caller does not meet do not count, even on sites whose pages and structure have no conditions.
 */
export async function specsIn(ctx: Context, revision: RevisionRow): Promise<ReadonlySet<string>> {
  const visible = await visibleContent(ctx, revision);
  if (visible) return visible.ids.openapi;
  const { organizationId, spaceId, rootHash, reusableContentsHash } = revision;
  const key = hashOf([organizationId, toHex(rootHash), reusableContentsHash && toHex(reusableContentsHash)]);
  let cached = remembered.get(key);
  if (!cached) {
    const { pages, contents } = await loadUsedContent(ctx, revision);
    const uses = [...pages.flatMap((page) => page.uses), ...[...contents.values()].flat()];
    cached = {
      slugs: new Set(uses.flatMap(({ kind, id }) => (kind === 'openapi' ? id : []))),
      hasConditions: uses.some(({ conditions }) => conditions !== undefined),
    };
    remembered.set(key, cached);
  }
  if (cached.slugs.size === 0 || !cached.hasConditions || (await hasRoleToRead(ctx, spaceId))) return cached.slugs;
  return (await followUses(ctx, spaceId, [await loadUsedContent(ctx, revision)])).openapi;
}
