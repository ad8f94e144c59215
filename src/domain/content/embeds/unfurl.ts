import { z } from 'zod';
import { frameHtml, frameOf } from '../../../lib/embed/frame-of.ts';
import { type PageMetadata, pageMetadata } from '../../../lib/embed/page-metadata.ts';
import type { Context } from '../../../platform/context.ts';
import { OutboundError } from '../../../platform/outbound/outbound-error.ts';
import { cutTo } from '../../../platform/text.ts';
import { knownEndpoint } from './providers.ts';
import { readStart } from './read-start.ts';

/** What is shown in the place of an address: a card that leads there, or a frame. */
export type Embed = { title: string; site: string; icon?: string } & (
  | { type: 'link' }
  | { type: 'rich'; html: string }
);

const TIMEOUT_MS = 5_000;
const MAX_TITLE = 300;

/**
 * Asks an address, and the service behind it, what to show for it (oEmbed 1.0, Open Graph). What gives no answer that
 * can be used is a card made of the address alone; an address that may not be asked is an `OutboundError`.
 */
export async function unfurl(ctx: Context, url: URL): Promise<Embed> {
  const known = knownEndpoint(url);
  const page = known === undefined ? await readPage(ctx, url) : {};
  const answer = await readAnswer(ctx, known ?? inPage(url, page.oembed));
  const icon = inPage(url, page.icon);
  const card = {
    title: cutTo(MAX_TITLE, page.title ?? answer.title ?? `${url.host}${url.pathname === '/' ? '' : url.pathname}`),
    site: cutTo(MAX_TITLE, page.site ?? answer.provider_name ?? url.hostname),
    ...(icon === undefined ? {} : { icon }),
  };
  const frame = answer.html === undefined ? undefined : frameOf(answer.html);
  return frame ? { ...card, type: 'rich', html: frameHtml(frame) } : { ...card, type: 'link' };
}

async function readPage(ctx: Context, url: URL): Promise<PageMetadata> {
  const answer = await ask(ctx, url.href, 'text/html');
  if (answer === undefined || !/^(text\/html|application\/xhtml\+xml)\b/i.test(answer.type)) return {};
  return pageMetadata(answer.text);
}

const oembedAnswer = z.object({
  title: z.string().optional().catch(undefined),
  provider_name: z.string().optional().catch(undefined),
  html: z.string().optional().catch(undefined),
});

async function readAnswer(ctx: Context, url: string | undefined): Promise<z.output<typeof oembedAnswer>> {
  const answer = url === undefined ? undefined : await ask(ctx, url, 'application/json').catch(unlessRejected);
  try {
    return oembedAnswer.parse(JSON.parse(answer?.text ?? '{}'));
  } catch {
    return {};
  }
}

/** What an address answers; undefined when it does not, or with an error. One that may not be asked throws. */
async function ask(ctx: Context, url: string, accept: string): Promise<{ type: string; text: string } | undefined> {
  try {
    const request = {
      url,
      method: 'GET',
      headers: { accept },
      maxBytes: Number.MAX_SAFE_INTEGER,
      timeoutMs: TIMEOUT_MS,
    };
    const { status, headers, body } = await ctx.services.fetch(request);
    const text = await readStart(body);
    return status < 200 || status > 299 ? undefined : { type: headers['content-type'] ?? '', text };
  } catch (error) {
    if (error instanceof OutboundError && !REFUSED.has(error.code)) return undefined;
    throw error;
  }
}

const REFUSED = new Set(['BAD_URL', 'PRIVATE_ADDRESS']);

/** A page may name any address for its answer; one that may not be asked is none. */
function unlessRejected(error: unknown): undefined {
  if (!(error instanceof OutboundError)) throw error;
}

/** An address as a page writes it, if it is one of the web. */
function inPage(page: URL, address: string | undefined): string | undefined {
  if (address === undefined || !URL.canParse(address, page)) return undefined;
  const { protocol, href } = new URL(address, page);
  return /^https?:$/.test(protocol) && href.length <= 2048 ? href : undefined;
}
