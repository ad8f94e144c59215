import { inkOn, readableOn } from '../../../lib/document-html/colors.ts';
import type { LoadedPage } from '../../../lib/tree/rows.ts';
import type { Context } from '../../../platform/context/context.ts';
import { ApiError } from '../../../platform/errors/errors.ts';
import { WorkExceeded } from '../../../platform/heavy-work/work-exceeded.ts';
import { ownModule } from '../../../platform/own-files.ts';
import { fontFilesWith } from '../../content/pdf/index.ts';
import { urlPathIn } from '../structure/index.ts';
import type { SiteResponse } from './cache.ts';
import { placePath, type SitePlace, type SiteView } from './site-view.ts';
import type { work as drawWork, SocialImage } from './social-image-work.ts';

const WORK_MS = 8_000;
const [MAX_TITLE, MAX_DESCRIPTION, MAX_SITE_TITLE] = [200, 300, 80];
const PATH = '~gitbook/ogimage';

/** The path of the image of a page below the host. */
export const socialImagePath = (
  view: Pick<SiteView, 'structure'>,
  { located }: SitePlace,
  { pageId }: LoadedPage,
): string => `${placePath(urlPathIn(view.structure, located.siteSpace))}${PATH}/${pageId}`;

/**
 * The image that other websites show for a link to a page: its title and description in the colors of the site, as PNG.
 */
export async function socialImage(view: SiteView, { look }: SitePlace, page: LoadedPage): Promise<SiteResponse> {
  const background = '#ffffff';
  const accent = readableOn(look.styling.primaryColor.light, background);
  const description = page.node.kind === 'document' ? (page.node.fields.description ?? '') : '';
  const { text, wide, asian, further } = fontFilesWith(view.ctx.services.config.pdfFonts);
  const input: SocialImage = {
    title: bounded(page.title, MAX_TITLE),
    description: bounded(description, MAX_DESCRIPTION),
    siteTitle: bounded(look.title ?? view.site.title, MAX_SITE_TITLE),
    background,
    ink: inkOn(background),
    accent,
    fonts: [text.files.bold, wide.files.bold, ...[...further, ...asian].map(({ files }) => files.normal)],
  };
  const { ctx, site } = view;
  const drawn = await drawnInWorker(ctx, site.organizationId, input);
  return {
    status: 200,
    headers: { 'content-type': 'image/png', 'cache-control': 'max-age=3600' },
    body: Buffer.from(drawn, 'base64'),
  };
}

/** The image in Base64. SERVICE_UNAVAILABLE if it takes too long, as on a busy machine. */
async function drawnInWorker(ctx: Context, organizationId: string, input: SocialImage): Promise<string> {
  const task = { module: ownModule('domain/publishing/reader/social-image-work.ts'), input, limitMs: WORK_MS };
  try {
    return await ctx.services.heavyWork.inWorker<typeof drawWork>('draw-image', { ctx, organizationId }, task);
  } catch (error) {
    if (!(error instanceof WorkExceeded)) throw error;
    throw new ApiError('SERVICE_UNAVAILABLE', `The image cannot be drawn at the moment: ${error.message}.`);
  }
}

/** A text on one line, of so many characters. */
const bounded = (text: string, length: number) => [...text.replace(/\s+/g, ' ').trim()].slice(0, length).join('');
