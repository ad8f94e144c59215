import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/**
 * A TCP proxy on 127.0.0.1 between callers and a server. It breaks connections as a network does. The target may
 * change: new connections go to the new one.
 */
export class Gate {
  target = 0;
  readonly #server = createServer((incoming) => this.#join(incoming));
  readonly #sockets = new Set<Socket>();
  #losesAnswers = false;

  static async open(target = 0): Promise<Gate> {
    const gate = new Gate();
    gate.target = target;
    gate.#server.listen(0, '127.0.0.1');
    await once(gate.#server, 'listening');
    return gate;
  }

  get port(): number {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('The gate does not listen.');
    return address.port;
  }

  /** Ends all connections at once, whatever is under way on them. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /**
   * Lets requests pass and drops their answers for a time, then cuts: what was done meanwhile has an unknown outcome.
   */
  async loseAnswers(untilOver: Promise<unknown>): Promise<void> {
    this.#losesAnswers = true;
    try {
      await untilOver;
    } finally {
      this.#losesAnswers = false;
      this.cut();
    }
  }

  close(): void {
    this.#server.close();
    this.cut();
  }

  #join(incoming: Socket): void {
    const outgoing = connect(this.target, '127.0.0.1');
    for (const socket of [incoming, outgoing]) {
      this.#sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        this.#sockets.delete(socket);
        incoming.destroy();
        outgoing.destroy();
      });
    }
    incoming.pipe(outgoing);
    outgoing.on('data', (chunk) => {
      if (this.#losesAnswers) return;
      if (!incoming.write(chunk)) outgoing.pause();
    });
    incoming.on('drain', () => outgoing.resume());
    outgoing.on('end', () => incoming.end());
  }
}
