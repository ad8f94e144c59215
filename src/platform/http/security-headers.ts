import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

const YEAR_SECONDS = 31_536_000;

/**
 * Headers for browsers: no content sniffing, no referrers, and no loading of other resources. Routes with pages set
 * their own policy. With https, browsers are told to always use it.
 */
export function secureAnswers(server: FastifyInstance, publicUrl: string): void {
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
    // Embedded files such as images and videos set their own policy.
    if (isShown(String(reply.getHeader('content-type')))) {
      if (!reply.hasHeader('content-security-policy')) reply.header('content-security-policy', NOTHING);
      reply.header('x-frame-options', 'DENY');
    }
    done();
  });
}

const isShown = (contentType: string) => contentType.includes('json') || contentType.startsWith('text/html');

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
