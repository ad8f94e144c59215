import type { Context } from './context.ts';

/** The absolute address of a REST resource (`urls.location`). `path` begins with `/v1`. */
export const locationUrl = (ctx: Context, path: string) => `${ctx.services.config.publicUrl}${path}`;

/** The absolute address of a resource for people (`urls.app`): a page that says how to read it. */
export const appUrl = (ctx: Context, path: string) => `${ctx.services.config.publicUrl}/app${path}`;
