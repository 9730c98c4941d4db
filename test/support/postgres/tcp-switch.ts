import { createConnection, createServer, type Socket } from 'node:net';

/** An address that leads to one of several servers on this machine, as a virtual address of a database does. */
export class TcpSwitch {
  private readonly open = new Set<Socket>();
  private readonly server = createServer((client) => this.connect(client));

  private constructor(private target_port: number) {}

  /** @param target_port the server that connections lead to */
  static async listen(target_port: number): Promise<TcpSwitch> {
    const made = new TcpSwitch(target_port);
    await new Promise<void>((resolve) => made.server.listen(0, '127.0.0.1', resolve));
    return made;
  }

  get port(): number {
    const address = this.server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  /** Leads further connections to another server, and cuts off the open ones. */
  switchTo(target_port: number): void {
    this.target_port = target_port;
    this.cut();
  }

  close(): void {
    this.server.close();
    this.cut();
  }

  private cut(): void {
    for (const socket of this.open) socket.destroy();
  }

  private connect(client: Socket): void {
    const server = createConnection(this.target_port, '127.0.0.1');
    const ends: [Socket, Socket][] = [
      [client, server],
      [server, client],
    ];
    for (const [one, other] of ends) {
      this.open.add(one);
      one.setNoDelay(true);
      one.pipe(other);
      one.on('error', () => {});
      one.on('close', () => {
        this.open.delete(one);
        other.destroy();
      });
    }
  }
}
