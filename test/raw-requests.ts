import { connect, type Socket } from 'node:net';

/** A request as it is sent. */
export interface RawRequest {
  method?: 'GET' | 'POST';
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

/** The text of a request over HTTP/1.1. */
export function textOf({ method = 'POST', path, headers = {}, body = '' }: RawRequest): string {
  const all = { host: 'x', 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return `${[`${method} ${path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n${body}`;
}

/** A connection that sends requests, one after the other, and reads nothing of the responses until it is resumed. */
export function sendRaw(url: string, ...requests: RawRequest[]): Socket {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').pause();
  socket.on('error', () => {});
  socket.write(requests.map(textOf).join(''));
  return socket;
}
