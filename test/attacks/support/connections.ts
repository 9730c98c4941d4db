/** Connections that an attacker keeps open. */
export class Connections implements Disposable {
  private readonly open = new Set<Bun.Socket>();
  /** Number of connections that the service has closed. */
  closed = 0;
  private begun = 0;
  private ended = 0;

  /** @param reads false: answers are never read */
  constructor(
    private readonly port: number,
    private readonly reads = true,
  ) {}

  get count(): number {
    return this.open.size;
  }

  /** Opens connections and sends `text` on each. Refused connections are left out. */
  async add(count: number, text = ''): Promise<void> {
    await Promise.all(Array.from({ length: count }, () => this.addOne(text)));
  }

  /** Resolves when this many answers have begun to arrive, or their connections were closed. */
  async answered(answers: number): Promise<void> {
    while (this.begun + this.closed < answers) await Bun.sleep(1);
  }

  /** Resolves when this many large answers have arrived completely. */
  async received(answers: number): Promise<void> {
    while (this.ended < answers) await Bun.sleep(1);
  }

  [Symbol.dispose](): void {
    for (const socket of this.open) socket.terminate();
    this.open.clear();
  }

  private async addOne(text: string): Promise<void> {
    let is_first = true;
    try {
      const socket = await Bun.connect({
        hostname: '127.0.0.1',
        port: this.port,
        socket: {
          data: (socket, bytes) => {
            if (is_first) this.begun++;
            is_first = false;
            if (!this.reads) socket.pause();
            // Large answers are chunked, and end with an empty chunk.
            else if (bytes.toString('latin1', Math.max(0, bytes.length - 5)) === '0\r\n\r\n') this.ended++;
          },
          close: (socket) => {
            if (this.open.delete(socket)) this.closed++;
          },
          error() {},
        },
      });
      this.open.add(socket);
      if (text !== '') socket.write(text);
    } catch {
      this.closed++;
    }
  }
}
