import { slugify, uniqueSlug } from '../../../lib/slug.ts';
import type { Context } from '../../../platform/context/context.ts';
import { constraintMeans } from '../../../platform/database/constraints.ts';
import { conflict } from '../../../platform/errors/errors.ts';

constraintMeans('site_basename_unique', () => conflict('Another site of the organization has this basename.'));
constraintMeans('site_own_hostname_unique', () => conflict('Another site of the organization has this hostname.'));

/** The slug of a title, or with the first suffix that makes it unique in the organization. */
export async function basenameOf(ctx: Context, organizationId: string, title: string): Promise<string> {
  const slug = slugify(title);
  const rows = await ctx.db
    .selectFrom('site')
    .where('organizationId', '=', organizationId)
    .where('basename', 'like', `${slug.replaceAll(/[\\%_]/g, '\\$&').slice(0, 90)}%`)
    .select('basename')
    .execute();
  return uniqueSlug(slug, new Set(rows.map(({ basename }) => basename ?? '')));
}
