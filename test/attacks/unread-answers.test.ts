import { afterAll, expect, test } from 'bun:test';
import { LIMITS } from '../../src/limits.ts';
import { killAll } from '../simulation/support/service-process.ts';
import { times } from '../support/long.ts';
import { aborted, compare, RATIO_MAX } from './support/compare.ts';
import { Connections } from './support/connections.ts';
import { ATTACKER, Stage } from './support/stage.ts';

/** Clients that request large answers and never read them. */

afterAll(killAll);

const AT_ONCE = 10;
const MIB = 1024 * 1024;
/** Allowance for memory that the runtime frees at any time: some answers of the largest size. */
const SLACK_BYTES = 400 * MIB;

/** The attack, its preparation, the number of connections, and the allowed memory. */
const ATTACKS: [string, (stage: Stage) => Promise<string>, number, number][] = [
  [
    'without a key, of tokens with much metadata',
    async (stage) => {
      await addTokens(stage, 300);
      return 'GET /base/feed/popular?top_k=500 HTTP/1.1\r\nhost: x\r\n\r\n';
    },
    150,
    LIMITS.unsent_bytes_max * LIMITS.keyless_share,
  ],
  [
    'with a key, of items with much metadata',
    async (stage) => {
      await addItems(stage, 120);
      const body = JSON.stringify({ top_k: 100, return_metadata: true });
      const head = [
        'POST /v2/farcaster/casts/feed/popular HTTP/1.1',
        'host: x',
        `authorization: ${ATTACKER.authorization}`,
        'content-type: application/json',
        `content-length: ${body.length}`,
      ];
      return `${head.join('\r\n')}\r\n\r\n${body}`;
    },
    100,
    LIMITS.unsent_bytes_max * LIMITS.account_share,
  ],
];

// A page of items with a key takes longer to build than all answers without a key.
test.each(ATTACKS.slice(0, times(1)))(
  'unread answers %s use bounded memory, and delay others no more than answers that are read',
  async (_, prepare, count_max, held_bytes_max) => {
    await using stage = await Stage.open();
    const request = await prepare(stage);
    const most = { attack_bytes: 0, control_bytes: 0, unsent_bytes: 0 };
    const unsentBytes = () => stage.metric('feedloom_unsent_answer_bytes');
    const leaveUnread = async (_: Stage, going: AbortSignal) => {
      using connections = new Connections(stage.port, false);
      for (let count = 0; count < count_max; count += AT_ONCE) {
        await connections.add(AT_ONCE, request);
        await connections.answered(count + AT_ONCE);
        most.attack_bytes = Math.max(most.attack_bytes, stage.rssBytes());
      }
      most.unsent_bytes = Math.max(most.unsent_bytes, await unsentBytes());
      await aborted(going);
      most.attack_bytes = Math.max(most.attack_bytes, stage.rssBytes());
    };
    const read = async () => {
      using connections = new Connections(stage.port);
      for (let count = 0; count < count_max; count += AT_ONCE) {
        await connections.add(AT_ONCE, request);
        await connections.received(count + AT_ONCE);
        most.control_bytes = Math.max(most.control_bytes, stage.rssBytes());
      }
    };
    const { ratio } = await compare(stage, leaveUnread, read, { pages: 60, rounds: 3 });
    expect(ratio).toBeLessThanOrEqual(RATIO_MAX);
    expect(most.unsent_bytes).toBeLessThanOrEqual(held_bytes_max);
    const allowed_bytes = most.control_bytes + held_bytes_max + SLACK_BYTES;
    expect(most.attack_bytes).toBeLessThanOrEqual(allowed_bytes);
    while ((await stage.metric('feedloom_unsent_answers')) > 0) await Bun.sleep(50);
    expect(await unsentBytes()).toBe(0);
    await read();
    expect(stage.rssBytes()).toBeLessThanOrEqual(most.control_bytes + SLACK_BYTES);
  },
  120_000,
);

test('requests that are sent one after another without reading any answer end their connection', async () => {
  await using stage = await Stage.open();
  using connections = new Connections(stage.port, false);
  const sent = 500;
  await connections.add(5, 'GET /swagger/json HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(sent));
  const labels = '{method="GET",route="/swagger/json",status="200"}';
  const answered = () => stage.metric(`feedloom_http_request_duration_seconds_count${labels}`);
  let before = -1;
  for (let now = await answered(); now > before; now = await answered()) {
    before = now;
    await Bun.sleep(1_100);
  }
  expect(before).toBeLessThan((5 * sent) / 2);
  expect(await stage.metric('feedloom_unsent_answers')).toBe(0);
});

async function addTokens(stage: Stage, count: number): Promise<void> {
  const prices = Array.from({ length: 95 }, () => ({
    marketplace_name: 'x'.repeat(400),
    value_usd_cents: 1,
  }));
  const wallet_address = `0x${'a'.repeat(40)}`;
  for (let from = 0; from < count; from += 100) {
    const item_ids = Array.from({ length: 100 }, (_, at) => `base.0x${String(from + at).padStart(40, '0')}`);
    const { status } = await stage.post(
      '/base/items',
      item_ids.map((item_id) => ({ item_id, name: 'T', prices })),
    );
    expect(status).toBe(200);
    const events = item_ids.map((item_id) =>
      stage.post('/base/events', { wallet_address, item_id, event_type: 'like' }),
    );
    for (const event of events) expect((await event).status).toBe(200);
  }
}

async function addItems(stage: Stage, count: number): Promise<void> {
  const now = Math.floor(Date.now() / 1000);
  const items = Array.from({ length: count }, (_, at) => ({
    item_id: `large-${at}`,
    author_id: 'author',
    created_at: now - at,
    likes_count: 1_000,
    metadata: { note: 'x'.repeat(57_000) },
  }));
  expect((await stage.post('/v2/farcaster/items', items)).status).toBe(200);
}
