import type { createTransport } from 'nodemailer';
import { escapeMarkup } from '../../lib/document-html/html.ts';
import { openOnce } from '../../lib/open-once.ts';

/** A paragraph of an email: a text, or a link or a code that stands on a line of its own. */
export type Paragraph = string | { link: string } | { code: string };

/** An email. It is sent as plain text and as HTML, which say the same. */
export interface Mail {
  to: string;
  subject: string;
  paragraphs: readonly Paragraph[];
}

/** Sends emails through one mail server. */
export interface Mailer {
  /** Resolves when the mail server has accepted the email (RFC 5321, 6.1). */
  send(mail: Mail): Promise<void>;
  close(): void;
}

const CONNECTION_MS = 10_000;
const SILENCE_MS = 30_000;

/** A mailer for a URL such as `smtps://user:password@mail.example.com`, with a sender for all emails. */
export function makeMailer(smtpUrl: string, from: string): Mailer {
  const options = {
    from,
    // No content is read from files or URLs that a text might name.
    disableFileAccess: true,
    disableUrlAccess: true,
    connectionTimeout: CONNECTION_MS,
    greetingTimeout: CONNECTION_MS,
    socketTimeout: SILENCE_MS,
  } as Parameters<typeof createTransport>[1]; // options of the connection besides those of the URL
  // The library is loaded for the first email.
  const transports = openOnce(async () => (await import('nodemailer')).createTransport(smtpUrl, options));
  return {
    async send({ to, subject, paragraphs }) {
      const transport = await transports.use();
      await transport.sendMail({
        // An object, so that the address is not parsed as a list.
        to: { name: '', address: to },
        subject,
        text: textOf(paragraphs),
        html: htmlOf(paragraphs),
        // No automatic replies (RFC 3834, 5).
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
    },
    close: () =>
      void transports.opened().then(
        (transport) => transport?.close(),
        () => {},
      ),
  };
}

const textOf = (paragraphs: Mail['paragraphs']): string => `${paragraphs.map(lineOf).join('\n\n')}\n`;

function lineOf(paragraph: Paragraph): string {
  if (typeof paragraph === 'string') return paragraph;
  return 'link' in paragraph ? paragraph.link : paragraph.code;
}

/** Only links that the service makes are links here: an address within a text, such as a name, stays text. */
function htmlOf(paragraphs: Mail['paragraphs']): string {
  const parts = paragraphs.map((paragraph) => {
    const text = escapeMarkup(lineOf(paragraph));
    if (typeof paragraph === 'string') return `<p>${text}</p>`;
    return 'link' in paragraph
      ? `<p><a href="${text}">${text}</a></p>`
      : `<p><strong style="font-size:1.5em;letter-spacing:.15em">${text}</strong></p>`;
  });
  return `<!doctype html>\n<html lang="en"><body>\n${parts.join('\n')}\n</body></html>\n`;
}
