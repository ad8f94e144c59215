import type { Readable } from 'node:stream';
import { z } from 'zod';
import { embeddedFrame, frameHtml } from '../../../lib/embed/embedded-frame.ts';
import { type PageMetadata, pageMetadata } from '../../../lib/embed/page-metadata.ts';
import type { Context } from '../../../platform/context/context.ts';
import { OutboundError } from '../../../platform/outbound/outbound-error.ts';
import { cutTo } from '../../../platform/shapes/cut-text.ts';
import { providerEndpoint } from './providers.ts';

/** The embed to display for a URL: a card with a link, or a frame. */
export type Embed = { title: string; site: string; icon?: string } & (
  | { type: 'link' }
  | { type: 'rich'; html: string }
);

const TIMEOUT_MS = 5_000;
const MAX_TITLE = 300;

/**
 * Requests a URL and the service behind it to find what to display (oEmbed 1.0, Open Graph). Without a usable response,
 * the card is made only from the URL. Throws an `OutboundError` for URLs that must not be requested.
 */
export async function unfurl(ctx: Context, url: URL): Promise<Embed> {
  const endpoint = providerEndpoint(url);
  const page = endpoint === undefined ? await readPage(ctx, url) : {};
  const response = await readResponse(ctx, endpoint ?? inPage(url, page.oembed));
  const icon = inPage(url, page.icon);
  const card = {
    title: cutTo(MAX_TITLE, page.title ?? response.title ?? `${url.host}${url.pathname === '/' ? '' : url.pathname}`),
    site: cutTo(MAX_TITLE, page.site ?? response.provider_name ?? url.hostname),
    ...(icon === undefined ? {} : { icon }),
  };
  const frame = response.html === undefined ? undefined : embeddedFrame(response.html);
  return frame ? { ...card, type: 'rich', html: frameHtml(frame) } : { ...card, type: 'link' };
}

async function readPage(ctx: Context, url: URL): Promise<PageMetadata> {
  const response = await ask(ctx, url.href, 'text/html');
  if (response === undefined || !/^(text\/html|application\/xhtml\+xml)\b/i.test(response.type)) return {};
  return pageMetadata(response.text);
}

const oembedResponse = z.object({
  title: z.string().optional().catch(undefined),
  provider_name: z.string().optional().catch(undefined),
  html: z.string().optional().catch(undefined),
});

async function readResponse(ctx: Context, url: string | undefined): Promise<z.output<typeof oembedResponse>> {
  const response = url === undefined ? undefined : await ask(ctx, url, 'application/json').catch(unlessRejected);
  try {
    return oembedResponse.parse(JSON.parse(response?.text ?? '{}'));
  } catch {
    return {};
  }
}

/** The response of a URL; undefined if there is none or it is an error. Throws for URLs that must not be requested. */
async function ask(ctx: Context, url: string, accept: string): Promise<{ type: string; text: string } | undefined> {
  try {
    const request = {
      url,
      method: 'GET',
      headers: { accept },
      maxBytes: Number.MAX_SAFE_INTEGER,
      timeoutMs: TIMEOUT_MS,
      signal: ctx.deadline?.signal,
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

/** A page may declare any oEmbed URL; one that must not be requested counts as absent. */
function unlessRejected(error: unknown): undefined {
  if (!(error instanceof OutboundError)) throw error;
}

/** Resolves a URL that a page declares; undefined unless it is HTTP or HTTPS. */
function inPage(page: URL, address: string | undefined): string | undefined {
  if (address === undefined || !URL.canParse(address, page)) return undefined;
  const { protocol, href } = new URL(address, page);
  return /^https?:$/.test(protocol) && href.length <= 2048 ? href : undefined;
}

const MAX_BYTES = 200_000;

/** The start of a body, decoded as UTF-8 regardless of its declared encoding. The rest is not received. */
async function readStart(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= MAX_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, MAX_BYTES).toString('utf8');
}
