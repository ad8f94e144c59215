import { z } from 'zod';
import { requireUserId } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context/context.ts';
import { badInput } from '../../../platform/errors/errors.ts';
import { query } from '../../../platform/operation/operation.ts';
import { multilineText } from '../../../platform/shapes/text.ts';
import { permissions } from '../../people/access/index.ts';
import { previewTokenFor } from '../audiences/index.ts';
import { authorizeSite, previewUrl, siteFor, siteName } from '../sites/index.ts';
import { siteSpaceId, structureFor, urlPathIn } from '../structure/index.ts';

const needed = permissions.getSitePreview.site;

/** Maximum size of claims, in characters of JSON. They are part of a URL. */
const MAX_CLAIMS = 2_000;

const claims = z
  .record(z.string(), z.unknown())
  .refine((value) => JSON.stringify(value).length <= MAX_CLAIMS, `must be at most ${MAX_CLAIMS} characters of JSON`)
  .meta({ scalar: 'JSONObject' });

/**
 * Characters of paths, without encoded dots, slashes and backslashes, by which one could leave the site (RFC 3986,
 * 3.3).
 */
const TARGET = /^(?:[A-Za-z0-9._~!$&'()*+,;=:@/-]|%(?:[013-46-9A-Fa-f][0-9A-Fa-f]|2[0-9A-Da-d]|5[0-9ABD-Fabd-f]))*$/;

const staysBelow = (path: string) => path.split('/').every((segment) => segment !== '.' && segment !== '..');

export const getSitePreview = query({
  name: 'getSitePreview',
  description:
    'Gets a URL that shows you a site as a visitor sees it, published or not, with the spaces that you can read. It works for at least an hour. ' +
    'Below it, `~/changes/<id>` and `~/revisions/<id>` show change requests and revisions.',
  input: z.object({
    ...siteName,
    siteSpaceId: siteSpaceId
      .nullish()
      .describe('ID of the site space to begin with. By default, the one that visitors see first.'),
    claims: claims
      .nullish()
      .describe(
        `Claims of the visitor to preview the site as, up to ${MAX_CLAIMS} characters as JSON. Unsigned claims are members of \`unsigned\`. By default, none.`,
      ),
    draft: z.boolean().nullish().describe('Accepted for compatibility and ignored: site spaces are never drafts.'),
    target: multilineText(0, 1_024)
      .regex(TARGET, 'must be a path such as guides/setup or ~/changes/3, with other characters percent-encoded')
      .refine(staysBelow, { error: 'must not contain the segments "." and ".."' })
      .nullish()
      .describe('Path to begin with, below the site space, such as `guides/setup` or `~/changes/3`.'),
  }),
  authorize: authorizeSite(needed),
  async run(ctx, input): Promise<{ url: string }> {
    requireUserId(ctx.actor);
    return { url: await sitePreviewUrl(ctx, await siteFor(ctx, input, needed), input) };
  },
});

/** The URL of the preview of a site for a user, without a check of permissions. */
export async function sitePreviewUrl(
  ctx: Context,
  site: { id: string; organizationId: string },
  {
    siteSpaceId: id,
    claims: visitorClaims,
    target,
  }: Pick<z.output<typeof getSitePreview.input>, 'siteSpaceId' | 'claims' | 'target'>,
): Promise<string> {
  const siteId = site.id;
  const structure = await structureFor(ctx, siteId);
  const siteSpace = id == null ? undefined : structure.siteSpace(id);
  if (id != null && !siteSpace)
    throw badInput(['siteSpaceId'], `"${id}" is not a site space of this site.`, 'NOT_FOUND');
  const folders = siteSpace ? urlPathIn(structure, siteSpace).map((segment) => `${encodeURIComponent(segment)}/`) : [];
  const url = new URL(`${previewUrl(ctx, siteId)}${folders.join('')}${(target ?? '').replace(/^\/+/, '')}`);
  url.searchParams.set('jwt_token', await previewTokenFor(ctx, site, visitorClaims ?? {}));
  return url.href;
}
