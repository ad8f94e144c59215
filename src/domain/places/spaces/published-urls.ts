import type { Context } from '../../../platform/context.ts';

/** The URLs of a space on published sites. */
export interface PublishedUrls {
  /** On the site with the widest audience. */
  published: string;
  /** Whether anybody can read that site, and search engines can index it. */
  isPublic: boolean;
}

/** Finds the URLs of spaces; undefined for a space that is not published. Batched. */
export type FindPublishedUrls = (ctx: Context, spaceId: string) => Promise<PublishedUrls | undefined>;

let find: FindPublishedUrls | undefined;

/** Sets how the URLs of published spaces are found. Sites belong to a later group of modules. */
export function registerPublishedUrls(given: FindPublishedUrls): void {
  find = given;
}

export const publishedUrls: FindPublishedUrls = async (ctx, spaceId) => find?.(ctx, spaceId);
