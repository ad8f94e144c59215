import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

const YEAR_SECONDS = 31_536_000;

/**
 * Headers for browsers: no content sniffing, no referrers, and no loading of other resources. Routes with pages set
 * their own policy. With https, browsers are told to always use it.
 */
export function secureAnswers(server: FastifyInstance, publicUrl: string): void {
  const isHttps = publicUrl.startsWith('https:');
  server.addHook('onRequest', async (_request, reply) => {
    reply.header('x-content-type-options', 'nosniff').header('referrer-policy', 'no-referrer');
    if (isHttps) reply.header('strict-transport-security', `max-age=${YEAR_SECONDS}`);
  });
  server.addHook('onSend', async (_request, reply, payload) => {
    // Embedded files such as images and videos set their own policy.
    if (!isShown(String(reply.getHeader('content-type')))) return payload;
    if (!reply.hasHeader('content-security-policy')) reply.header('content-security-policy', NOTHING);
    reply.header('x-frame-options', 'DENY');
    return payload;
  });
}

const isShown = (contentType: string) => /json|^text\/html/.test(contentType);

const NOTHING = "default-src 'none'; frame-ancestors 'none'";

/**
 * The policy of a page without other files. Only its own inline scripts run, identified by hashes (Content Security
 * Policy Level 3, "Usage"). Pages with scripts can send requests to their own origin; the style of other pages is
 * identified by its hash too.
 */
export function pagePolicy(html: string): string {
  const scripts = hashesOf(html, 'script');
  const forScripts = ["style-src 'unsafe-inline'", "connect-src 'self'", 'font-src data:', 'worker-src blob:'];
  return [
    "default-src 'none'",
    ...(scripts.length > 0
      ? [`script-src ${scripts.join(' ')}`, ...forScripts]
      : [`style-src ${hashesOf(html, 'style').join(' ')}`]),
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function hashesOf(html: string, element: 'script' | 'style'): string[] {
  const texts = [...html.matchAll(new RegExp(`<${element}(?:\\s[^>]*)?>(.*?)</${element}>`, 'gs'))];
  return texts.map(([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
}
