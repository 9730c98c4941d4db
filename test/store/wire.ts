import type { Socket } from 'bun';
import { ENGINES, type Place, withPlace } from './engines.ts';

/** One connection through the wire, from its client's side. */
interface Line {
  server?: Promise<Socket>;
  mute: boolean;
}

/**
 * A wire to the server that can be cut at the next COMMIT: before it passes, or after it has passed and
 * before its answer does. While it is down, nobody can connect. While it is held, it takes everything and passes nothing.
 */
export class Wire {
  cut_at_commit: 'no' | 'before' | 'after' = 'no';
  readonly port: number;
  private listener;
  private readonly clients = new Set<Socket<Line>>();
  /** What is to be passed on when it is not held any more. */
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
          });
        },
        async data(client, bytes) {
          // Not the `read committed` that each transaction begins with, nor `synchronous_commit`.
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

  /** Everybody waits from now on; connections stay. */
  hold(): void {
    this.held ??= [];
  }

  letGo(): void {
    const held = this.held ?? [];
    this.held = undefined;
    for (const pass of held) pass();
  }

  /** What waits is lost, and nobody knows; whoever asks from now on is answered. */
  lose(): void {
    this.held = undefined;
  }

  /** Connections that are open end, as with the server. */
  cut(): void {
    for (const client of this.clients) client.terminate();
  }

  /** Nobody can connect from now on; connections that are open stay. */
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
