import type { Context } from '../context/context.ts';

/** The absolute URL of a resource in REST (`urls.location`). `path` starts with `/v1`. */
export const locationUrl = (ctx: Context, path: string) => flatText(ctx.services.config.publicUrl, path);

/** The absolute URL of a resource for people (`urls.app`), in the web application. */
export const appUrl = (ctx: Context, path: string) => flatText(ctx.services.config.publicUrl, '/app', path);

/**
 * Joins texts into one piece of memory. `+` and templates make a tree of the pieces, and V8's `JSON.stringify` leaves
 * its fast path for the rest of a value when it meets one: a list of objects with such texts takes three times as long
 * (https://v8.dev/blog/json-stringify). For texts that are made for each row of a list.
 */
const flatText = (...parts: string[]): string => parts.join('');
