import { describe, expect, test } from 'bun:test';
import type { ConnectorCase } from '../../src/kit/index.ts';
import { Kit } from '../../src/kit/kit.ts';
import {
  type ConnectorHost,
  type ConnectorRecord,
  defineIntegration,
  definePlugin,
  Type,
} from '../../src/plugin/index.ts';
import { outcomeOf } from './support.ts';

const follow = (target_user_id: string): ConnectorRecord => ({
  kind: 'follow',
  record: { user_id: 'ann', target_user_id, timestamp: 7 },
});
const SOURCE = ['a', 'b', 'c', 'd'];
const GIVEN: ConnectorCase = { name: 'reads all', open: () => ({}), expect: SOURCE.map(follow) };

/** How a test case of a connector ends: `holds`, or the message of its error. */
async function outcome(
  run: (host: ConnectorHost) => Promise<void>,
  given: ConnectorCase = GIVEN,
): Promise<string> {
  const plugin = definePlugin({
    meta: { name: 'acme', version: '1.0.0', api: 2 },
    integrations: {
      'acme/x_v1.0.0': defineIntegration({
        summary: 'For tests.',
        options: Type.Object({}),
        connect: () => run,
      }),
    },
  });
  const [check] = new Kit(plugin).cases('integrations', 'acme/x_v1.0.0', { cases: [given] });
  return outcomeOf(check);
}

async function readFrom(host: ConnectorHost, at: number): Promise<void> {
  for (let next = at; next < SOURCE.length; next++) await host.emit([follow(SOURCE[next])], String(next + 1));
}

describe('a case of a connector', () => {
  test('holds for a connector that continues from the cursor', async () => {
    expect(await outcome((host) => readFrom(host, Number(host.cursor ?? 0)))).toBe('holds');
  });

  test('holds for a connector that rewinds and emits the same records again', async () => {
    expect(await outcome((host) => readFrom(host, Math.max(0, Number(host.cursor ?? 0) - 2)))).toBe('holds');
  });

  test('fails for a connector that loses records after a crash', async () => {
    const lossy = (host: ConnectorHost) =>
      readFrom(host, host.cursor === undefined ? 0 : Number(host.cursor) + 1);
    expect(await outcome(lossy)).toContain('a crash at emit 1, after it is stored: expected');
  });

  test('fails for a connector whose cursor runs ahead of its records', async () => {
    const ahead = async (host: ConnectorHost) => {
      for (let next = Number(host.cursor ?? 0); next < SOURCE.length; next++) {
        await host.emit([], String(next + 1));
        await host.emit([follow(SOURCE[next])], String(next + 1));
      }
    };
    expect(await outcome(ahead)).toContain('a crash at emit 1, after it is stored: expected');
  });

  test('fails for a connector that does not await its emits', async () => {
    const hasty = async (host: ConnectorHost) => {
      await Promise.all(SOURCE.map((target, at) => host.emit([follow(target)], String(at + 1))));
    };
    expect(await outcome(hasty)).toContain('it emits before its last emit was stored');
  });

  test('gives a connector the records that stand: stored ones and its own, without those that it took back', async () => {
    const unfollow = (target_user_id: unknown): ConnectorRecord => ({
      kind: 'follow',
      record: { user_id: 'ann', target_user_id, timestamp: 8, action: 'unfollow' },
    });
    const ending = async (host: ConnectorHost) => {
      await readFrom(host, Number(host.cursor ?? 0));
      for await (const { target_user_id } of host.current('follow'))
        await host.emit([unfollow(target_user_id)], '4');
    };
    const expected = [...SOURCE.map(follow), ...['z', ...SOURCE].map(unfollow)];
    expect(await outcome(ending, { ...GIVEN, stored: [follow('z')], expect: expected })).toBe('holds');
  });

  test('fails for a repeated act that would count twice', async () => {
    const comment: ConnectorRecord = {
      kind: 'interaction',
      record: { user_id: 'ann', item_id: 'a', event_type: 'comment' },
    };
    const undated = async (host: ConnectorHost) => {
      await host.emit([comment], '1');
      await host.emit([follow('a')], '2');
    };
    expect(await outcome(undated, { ...GIVEN, expect: [comment, follow('a')] })).toContain(
      'a repeated act would count twice',
    );
  });

  test('fails for a record that the service would reject', async () => {
    const nowhere: ConnectorRecord = { kind: 'item', record: { item_id: 'a', geo_location: [1, 2] } };
    const misplaced = async (host: ConnectorHost) => void (await host.emit([nowhere], '1'));
    expect(await outcome(misplaced, { ...GIVEN, expect: [nowhere] })).toStartWith("item 'a': geo_location: ");
  });

  test('fails if no log line names the bad input', async () => {
    const read = (host: ConnectorHost) => readFrom(host, Number(host.cursor ?? 0));
    expect(await outcome(read, { ...GIVEN, warns: ['line 3'] })).toContain("no log line contains 'line 3'");
  });

  test('holds for a run that fails with the expected error, also after some records', async () => {
    const expected = { ...GIVEN, expect: { error: 'answered 500' } };
    const broken = async (host: ConnectorHost) => {
      await host.emit([follow('a')], '1');
      throw new Error('the list answered 500');
    };
    expect(await outcome(() => Promise.reject(new Error('the list answered 500')), expected)).toBe('holds');
    expect(await outcome(broken, expected)).toBe('holds');
    expect(await outcome((host) => readFrom(host, 0), expected)).toContain('got none');
    expect(await outcome(() => Promise.reject(new Error('no such host')), expected)).toContain(
      "got 'no such host'",
    );
  });

  test('fails for a connector that fails without any news', async () => {
    const broken = () => Promise.reject(new Error('no such host'));
    expect(await outcome(broken)).toContain('no such host');
  });
});
