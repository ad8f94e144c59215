import type { Context } from '../../../platform/context/context.ts';

/** The OpenAPI specification of an organization with a slug, in REST. Undefined if the caller cannot read it. */
export type PresentSpec = (ctx: Context, organizationId: string, slug: string) => Promise<object | undefined>;

let present: PresentSpec | undefined;

/** Sets how targets of the kind `openapi` are shown in REST. The module of specifications provides it. */
export const registerSpecTargets = (presenter: PresentSpec): void => {
  present = presenter;
};

export const presentSpec: PresentSpec = async (ctx, organizationId, slug) => present?.(ctx, organizationId, slug);
