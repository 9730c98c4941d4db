import { afterAll, expect, test } from 'bun:test';
import { killAll } from '../simulation/support/service-process.ts';
import { compare, RATIO_MAX } from './support/compare.ts';
import { Stage } from './support/stage.ts';

/** Events that are older than all known events of their item or user. */

afterAll(killAll);

/** Events of the item or user before the attack. */
const KNOWN = 70_000;
const BODY_RECORDS = 5_000;
const BODIES = 4;
const NOW = Math.floor(Date.now() / 1000);
const FIRST = NOW - 2 * KNOWN;

/** Likes of one item by many users, or of many items by one user. */
const SHAPES = [
  ['an item', (at: number) => ({ user_id: `fan-${at}`, item_id: 'item-0' })],
  ['a user', (at: number) => ({ user_id: 'user-0', item_id: `other-${at}` })],
] as const;

test.each(SHAPES)(
  'old events of %s with many events take little more time than new ones',
  async (_, pair) => {
    await using stage = await Stage.open();
    let sent = 0;
    const send = async (records: number, timeOf: (at: number) => number) => {
      for (let left = records; left > 0; left -= BODY_RECORDS) {
        const body = Array.from({ length: Math.min(left, BODY_RECORDS) }, () => {
          const at = sent++;
          return { ...pair(at), event_type: 'like', timestamp: timeOf(at) };
        });
        expect((await stage.post('/v2/farcaster/interactions', body)).status).toBe(200);
      }
    };
    await send(KNOWN, (at) => FIRST + at);
    const cpu = { attack_s: 0, control_s: 0 };
    const load = (spent: keyof typeof cpu, timeOf: (at: number) => number) => async () => {
      const before_s = stage.cpuSeconds();
      await send(BODIES * BODY_RECORDS, timeOf);
      cpu[spent] += stage.cpuSeconds() - before_s;
    };
    // Spread over the time before the first known event, in random order.
    const attack = load('attack_s', (at) => FIRST - 1 - ((at * 7_919) % KNOWN));
    const control = load('control_s', () => NOW);
    const { ratio } = await compare(stage, attack, control);
    console.log(`CPU of attack and control: ${cpu.attack_s.toFixed(2)} s and ${cpu.control_s.toFixed(2)} s`);
    expect(ratio).toBeLessThanOrEqual(RATIO_MAX);
    expect(cpu.attack_s).toBeLessThanOrEqual(RATIO_MAX * cpu.control_s);
  },
  120_000,
);
