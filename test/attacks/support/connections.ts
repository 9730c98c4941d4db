/** Connections that an attacker keeps. */
export class Connections implements Disposable {
  private readonly open = new Set<Bun.Socket>();
  /** Closed by the service since they were opened. */
  closed = 0;
  received_bytes = 0;

  /** @param reads false: what the service sends is never read */
  constructor(
    private readonly port: number,
    private readonly reads = true,
  ) {}

  get count(): number {
    return this.open.size;
  }

  /** Opens connections and sends `text` on each of them. What is refused is left out. */
  async add(count: number, text = ''): Promise<void> {
    await Promise.all(Array.from({ length: count }, () => this.addOne(text)));
  }

  [Symbol.dispose](): void {
    for (const socket of this.open) socket.terminate();
    this.open.clear();
  }

  private async addOne(text: string): Promise<void> {
    try {
      const socket = await Bun.connect({
        hostname: '127.0.0.1',
        port: this.port,
        socket: {
          data: (socket, bytes) => {
            this.received_bytes += bytes.length;
            if (!this.reads) socket.pause();
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
