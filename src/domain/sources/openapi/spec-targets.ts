import type { Context } from '../../../platform/context/context.ts';
import { present } from '../../../platform/resource/rest.ts';
import { filterOwnOrganizations, findSpec, type SpecRow } from './access.ts';
import { openApiSpec } from './resources.ts';

/**
 * The specification of an organization with a slug. Undefined if there is none, or the caller has no role in the
 * organization.
 */
export async function visibleSpec(ctx: Context, organizationId: string, slug: string): Promise<SpecRow | undefined> {
  const spec = await findSpec(ctx, { organizationId, slug });
  return spec && (await filterOwnOrganizations(ctx, [spec]))[0];
}

/** The same in REST. */
export async function presentVisibleSpec(ctx: Context, organizationId: string, slug: string) {
  const spec = await visibleSpec(ctx, organizationId, slug);
  return spec && present(openApiSpec, spec, ctx);
}
