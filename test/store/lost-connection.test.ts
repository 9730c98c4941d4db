import { describe, expect, test } from 'bun:test';
import type { Socket } from 'bun';
import { follow } from './changes.ts';
import { ENGINES, type Place, refusal, serve, stored, withPlace } from './engines.ts';

const postgres = ENGINES[1];

/**
 * A wire to the server that can be cut at the next COMMIT: before it passes, or after it has passed and
 * before its answer does. While it is down, nobody can connect.
 */
class Wire {
  cut_at_commit: 'no' | 'before' | 'after' = 'no';
  readonly port: number;
  private listener;

  constructor(private readonly target: { hostname: string; port: number }) {
    this.listener = this.listen(0);
    this.port = this.listener.port;
  }

  private listen(port: number) {
    const wire = this;
    const { target } = this;
    return Bun.listen<{ server?: Promise<Socket>; mute: boolean }>({
      hostname: '127.0.0.1',
      port,
      socket: {
        open(client) {
          client.data = { mute: false };
          client.data.server = Bun.connect({
            ...target,
            socket: {
              data(_, bytes) {
                if (client.data.mute) client.terminate();
                else client.write(bytes);
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
          } else server?.write(copy);
        },
        async close(client) {
          (await client.data.server)?.end();
        },
      },
    });
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

async function withWire(work: (place: Place, wire: Wire) => Promise<void>): Promise<void> {
  await withPlace(postgres, async (place) => {
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

describe('a connection to PostgreSQL that is lost', () => {
  test('after the commit arrived: the writer finds out that the changes are stored', () =>
    withWire(async (place, wire) => {
      const { store, messages } = await serve(place);
      wire.cut_at_commit = 'after';
      const changes = [follow(1, 2), follow(2, 3)];
      await store.submit(changes);
      await store.submit([follow(3, 4)]);
      expect(messages.flat().map(({ seq }) => seq)).toEqual([1, 2, 3]);
      expect(await stored(store)).toHaveLength(3);
      await store.close();
    }));

  test('before the commit arrived: nothing is stored and the submitter is told so', () =>
    withWire(async (place, wire) => {
      const serving = await serve(place);
      const { store, messages } = serving;
      wire.cut_at_commit = 'before';
      expect(await refusal(store.submit([follow(1, 2)]))).toMatchObject({ code: 'store_unavailable' });
      expect(serving.failures).toBe(1);
      await store.submit([follow(3, 4)]);
      expect(messages.flat()).toEqual(await stored(store));
      expect(messages.flat().map(({ seq }) => seq)).toEqual([1]);
      await store.close();
    }));

  test('for good after the commit arrived: the changes are applied as soon as they can be asked about', () =>
    withWire(async (place, wire) => {
      const serving = await serve(place);
      const { store, messages } = serving;
      await store.submit([follow(1, 2)]);
      wire.cut_at_commit = 'after';
      wire.goDown();
      const unknown = store.submit([follow(2, 3), follow(3, 4)]);
      expect(await refusal(unknown)).toMatchObject({ code: 'store_unavailable' });
      expect(await refusal(store.submit([follow(9, 9)]))).toMatchObject({ code: 'store_unavailable' });
      expect(messages.flat()).toHaveLength(1);
      wire.comeUp();
      // Refused once more: it may build on keys that the changes found now have taken.
      expect(await refusal(store.submit([follow(9, 9)]))).toMatchObject({ code: 'store_unavailable' });
      expect(messages.flat().map(({ seq }) => seq)).toEqual([1, 2, 3]);
      await store.submit([follow(4, 5)]);
      expect(messages.flat()).toEqual(await stored(store));
      await store.close();
    }));
});
