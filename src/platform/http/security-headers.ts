import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

const YEAR_SECONDS = 31_536_000;

/**
 * What browsers may do with our answers: guess no types, tell no address on, and load nothing on their behalf. Routes with
 * something to show set a policy of their own. Under https the browser is told to keep to it.
 */
export function secureAnswers(server: FastifyInstance, publicUrl: string): void {
  const isHttps = publicUrl.startsWith('https:');
  server.addHook('onRequest', async (_request, reply) => {
    reply.header('x-content-type-options', 'nosniff').header('referrer-policy', 'no-referrer');
    if (isHttps) reply.header('strict-transport-security', `max-age=${YEAR_SECONDS}`);
  });
  server.addHook('onSend', async (_request, reply, payload) => {
    // What is embedded elsewhere, pictures and films, says itself what is allowed to it.
    if (!isShown(String(reply.getHeader('content-type')))) return payload;
    if (!reply.hasHeader('content-security-policy')) reply.header('content-security-policy', NOTHING);
    reply.header('x-frame-options', 'DENY');
    return payload;
  });
}

const isShown = (contentType: string) => /json|^text\/html/.test(contentType);

const NOTHING = "default-src 'none'; frame-ancestors 'none'";

/**
 * The policy of a page that brings everything with it: of the scripts only those that stand in it run, by their hashes
 * (Content Security Policy Level 3, "Usage"). Only they have something to ask, of their own origin alone; a page without them
 * has its style by its hash, too.
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
