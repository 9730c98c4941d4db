import { expect } from 'bun:test';
import { type Random, seededRandom } from '../../src/clock.ts';
import { longTest } from '../support/long.ts';
import { Group } from './group.ts';
import { item, until } from './support.ts';

const TEST_MS = 120_000;
const ITEMS = '/v2/farcaster/items';
const POPULAR = '/v2/farcaster/feeds/popular';
const PROCESSES = 3;
const VIEWERS = 4;
const PAGES = 12;

type Page = { item_id: string }[];

/** What a viewer was shown, by answers that recorded it. */
class Viewer {
  readonly shown: string[] = [];

  constructor(private readonly user_id: string) {}

  /** Asks for pages, some of them at once. */
  async read(group: Group, random: Random): Promise<void> {
    for (let page = 0; page < PAGES; page++) {
      const asked = Array.from({ length: random() < 0.3 ? 2 : 1 }, () => this.ask(group));
      for (const ids of await Promise.all(asked)) this.shown.push(...ids);
    }
  }

  private async ask(group: Group): Promise<string[]> {
    const body = { user_id: this.user_id, top_k: 2, impression_count: 2 };
    const answer = await group.tried(POPULAR, body);
    return answer?.status === 200 ? answer.body.body.map(({ item_id }: Page[number]) => item_id) : [];
  }
}

longTest(
  'while processes are killed no acknowledged write is lost, no item is shown twice, and in the end all show the same',
  async () => {
    const random = seededRandom(45);
    await using group = await Group.start(PROCESSES);
    const stored: string[] = [];
    const write = async (first: number, count: number): Promise<void> => {
      for (let number = first; number < first + count; number += 10) {
        const ids = Array.from({ length: 10 }, (_, at) => `item${number + at}`);
        const answer = await group.tried(
          ITEMS,
          ids.map((id) => item(id)),
        );
        if (answer?.status === 200) stored.push(...ids);
      }
    };
    await write(0, 200);
    const viewers = Array.from({ length: VIEWERS }, (_, number) => new Viewer(`viewer${number}`));
    const readAll = () => Promise.all(viewers.map((viewer) => viewer.read(group, random)));
    // The process that leads, one that follows, and all of them.
    const faults: ((leader: number) => number[])[] = [
      (leader) => [leader],
      (leader) => [1 + (leader % PROCESSES)],
      () => [1, 2, 3],
    ];
    for (const [round, killed] of faults.entries()) {
      const leader = await group.settled(PROCESSES);
      const working = Promise.all([readAll(), write(200 + 200 * round, 100)]);
      for (const process of killed(leader)) group.kill(process);
      await working;
      await group.settled(PROCESSES);
      await Promise.all([readAll(), write(300 + 200 * round, 100)]);
    }
    await group.settled(PROCESSES);
    await until(
      () => group.tried(ITEMS, [item('last')]),
      (answer) => answer?.status === 200,
    );

    for (const { shown } of viewers) expect(shown.length - new Set(shown).size).toBe(0);
    expect(viewers.reduce((sum, { shown }) => sum + shown.length, 0)).toBeGreaterThan(VIEWERS * PAGES);
    expect(stored.length).toBeGreaterThanOrEqual(500);
    const pages = await group.fromAll(() => group.post(POPULAR, { top_k: 1000, seed: 7 }));
    const [first, ...others] = pages.map(({ body }) => body.body.map(({ item_id }: Page[number]) => item_id));
    expect([...stored, 'last'].filter((id) => !first.includes(id))).toEqual([]);
    for (const page of others) expect(page).toEqual(first);
  },
  TEST_MS,
);
