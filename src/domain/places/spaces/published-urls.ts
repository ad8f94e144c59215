import type { z } from 'zod';
import type { Loader } from '../../../platform/reads/loader.ts';
import type { contentVisibility } from './enums.ts';

/** The URLs of a space on published sites. */
export interface PublishedUrls {
  /** On the site with the widest audience. */
  published: string;
  /** Whether the site is public, so that search engines can index it. */
  isPublic: boolean;
  /** Of that site. */
  visibility: z.infer<typeof contentVisibility>;
}

let registered: Loader<PublishedUrls> | undefined;

/** Sets how the URLs of published spaces are found. Sites belong to a later group of modules. */
export function registerPublishedUrls(urls: Loader<PublishedUrls>): void {
  registered = urls;
}

/** The URLs of spaces; undefined for a space that is not published. */
export function publishedUrls(): Loader<PublishedUrls> {
  if (!registered) throw new Error('`registerPublishedUrls` was not called.');
  return registered;
}
