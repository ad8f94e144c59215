import type { createTransport } from 'nodemailer';
import { openOnce } from '../../lib/open-once.ts';

/** An email of plain text. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
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
    async send({ to, subject, text }) {
      const transport = await transports.use();
      await transport.sendMail({
        // An object, so that the address is not parsed as a list.
        to: { name: '', address: to },
        subject,
        text,
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
