import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

const YEAR_SECONDS = 31_536_000;

/**
 * Headers for browsers: no content sniffing, no referrers, and neither scripts nor other resources in whatever is not
 * passive. Routes with pages set their own policy. With https, browsers are told to always use it.
 */
export function addSecurityHeaders(server: FastifyInstance, publicUrl: string): void {
  const headers = {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    ...(publicUrl.startsWith('https:') && { 'strict-transport-security': `max-age=${YEAR_SECONDS}` }),
  };
  server.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
  server.addHook('onSend', (_request, reply, _payload, done) => {
    const type = reply.getHeader('content-type');
    if (type !== undefined && !PASSIVE.test(String(type))) {
      if (!reply.hasHeader('content-security-policy')) reply.header('content-security-policy', NOTHING);
      reply.header('x-frame-options', 'DENY');
    }
    done();
  });
}

/** Media types that contain nothing to execute. A policy would keep browsers from displaying PDF. */
const PASSIVE = /^(?:image\/(?!svg)|video\/|audio\/|font\/|application\/pdf)/i;

const NOTHING = "default-src 'none'; frame-ancestors 'none'";

/**
 * The policy of a page without other files. Only its own inline scripts run, identified by hashes (Content Security
 * Policy Level 3, "Usage"). Pages with scripts can send requests to their own origin; the style of other pages, and of
 * those with `ownStyleOnly`, is identified by its hash too. Forms can be sent to the own origin.
 */
export function pagePolicy(html: string, { ownStyleOnly = false } = {}): string {
  const scripts = hashesOf(html, 'script');
  const ownStyle = `style-src ${hashesOf(html, 'style').join(' ')}`;
  const forScripts = ownStyleOnly
    ? [ownStyle, "connect-src 'self'"]
    : ["style-src 'unsafe-inline'", "connect-src 'self'", 'font-src data:', 'worker-src blob:'];
  return [
    "default-src 'none'",
    ...(scripts.length > 0 ? [`script-src ${scripts.join(' ')}`, ...forScripts] : [ownStyle]),
    "img-src 'self' data:",
    "base-uri 'none'",
    `form-action ${html.includes('<form') ? "'self'" : "'none'"}`,
    "frame-ancestors 'none'",
  ].join('; ');
}

function hashesOf(html: string, element: 'script' | 'style'): string[] {
  const texts = [...html.matchAll(new RegExp(`<${element}(?:\\s[^>]*)?>(.*?)</${element}>`, 'gs'))];
  return texts.map(([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
}
