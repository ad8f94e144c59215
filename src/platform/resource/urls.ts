import { flatText } from '../../lib/flat-text.ts';
import type { Context } from '../context/context.ts';

/** The absolute URL of a resource in REST (`urls.location`). `path` starts with `/v1`. */
export const locationUrl = (ctx: Context, path: string) => flatText(ctx.services.config.publicUrl, path);

/** The absolute URL of a resource for people (`urls.app`), in the web application. */
export const appUrl = (ctx: Context, path: string) => flatText(ctx.services.config.publicUrl, '/app', path);
