import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { afterAll } from 'vitest';

interface Received {
  from: string;
  to: string[];
  /** The message with headers, transfer encoding undone. */
  text: string;
}

/** A mail server on this machine that keeps what it receives. It can be told to refuse messages for now. */
export async function makeMailServer() {
  const mail = { url: '', received: [] as Received[], isBusy: false };
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    async onData(stream, { envelope }, done) {
      const message = await text(stream);
      if (mail.isBusy) return done(Object.assign(new Error('Try again later.'), { responseCode: 451 }));
      const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
      const unfolded = message
        .replace(/=\r\n/g, '')
        .replace(/=([0-9A-F]{2})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
      mail.received.push({ from, to: envelope.rcptTo.map(({ address }) => address), text: unfolded });
      return done();
    },
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  mail.url = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`; // it listens on a port
  afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return mail;
}
