import type { Context } from './context.ts';

/** The absolute address of a REST resource (`urls.location`). `path` begins with `/v1`. */
export const locationUrl = (ctx: Context, path: string) => `${ctx.services.config.publicUrl}${path}`;

/** The absolute address of a resource in the application for people (`urls.app`). */
export const appUrl = (ctx: Context, path: string) => `${ctx.services.config.publicUrl}/app${path}`;
