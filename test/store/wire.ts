import type { Socket } from 'bun';
import { ENGINES, type Place, withPlace } from './engines.ts';

/** The client's side of one connection through the wire. */
interface Line {
  /** Undefined once the server has refused the connection. */
  server?: Promise<Socket | undefined>;
  mute: boolean;
}

/**
 * A proxy to the server that can be cut at the next COMMIT: before it is forwarded, or before its answer is.
 *
 * While it is down, connections fail. While it is held, it accepts everything and forwards nothing.
 */
export class Wire {
  cut_at_commit: 'no' | 'before' | 'after' = 'no';
  readonly port: number;
  private listener;
  private readonly clients = new Set<Socket<Line>>();
  /** Data to forward when the wire is released. */
  private held: (() => void)[] | undefined;

  constructor(private readonly target: { hostname: string; port: number }) {
    this.listener = this.listen(0);
    this.port = this.listener.port;
  }

  private listen(port: number) {
    const wire = this;
    const { target } = this;
    return Bun.listen<Line>({
      hostname: '127.0.0.1',
      port,
      socket: {
        open(client) {
          wire.clients.add(client);
          client.data = { mute: false };
          client.data.server = Bun.connect({
            ...target,
            socket: {
              data(_, bytes) {
                if (client.data.mute) client.terminate();
                else wire.pass(bytes, (copy) => client.write(copy));
              },
              close: () => void client.end(),
            },
          }).catch(() => void client.terminate());
        },
        async data(client, bytes) {
          // Matches neither `read committed`, with which each transaction begins, nor `synchronous_commit`.
          const commits = wire.cut_at_commit !== 'no' && /(?<!_)commit(?!ted)/.test(bytes.toString('latin1'));
          const cut = commits ? wire.cut_at_commit : 'no';
          if (commits) wire.cut_at_commit = 'no';
          client.data.mute ||= cut === 'after';
          const copy = Uint8Array.from(bytes);
          const server = await client.data.server;
          if (cut === 'before') {
            client.terminate();
            server?.end();
          } else wire.pass(copy, (held) => server?.write(held));
        },
        async close(client) {
          wire.clients.delete(client);
          (await client.data.server)?.end();
        },
      },
    });
  }

  private pass(bytes: Uint8Array, write: (bytes: Uint8Array) => void): void {
    const copy = Uint8Array.from(bytes);
    if (this.held === undefined) write(copy);
    else this.held.push(() => write(copy));
  }

  /** Holds all data from now on. Connections stay open. */
  hold(): void {
    this.held ??= [];
  }

  letGo(): void {
    const held = this.held ?? [];
    this.held = undefined;
    for (const pass of held) pass();
  }

  /** Drops the held data silently. Later queries are answered. */
  lose(): void {
    this.held = undefined;
  }

  /** Ends open connections, as a restart of the server does. */
  cut(): void {
    for (const client of this.clients) client.terminate();
  }

  /** Refuses new connections. Open ones stay. */
  goDown(): void {
    this.listener.stop();
  }

  comeUp(): void {
    this.listener = this.listen(this.port);
  }

  stop(): void {
    this.listener.stop(true);
  }
}

/** Runs `work` with a fresh PostgreSQL database behind a wire. */
export async function withWire(work: (place: Place, wire: Wire) => Promise<void>): Promise<void> {
  await withPlace(ENGINES[1], async (place) => {
    const direct = new URL(place.database_url ?? '');
    const wire = new Wire({ hostname: direct.hostname, port: Number(direct.port) });
    const wired = new URL(direct);
    wired.port = String(wire.port);
    try {
      await work({ ...place, database_url: wired.href }, wire);
    } finally {
      wire.stop();
    }
  });
}
