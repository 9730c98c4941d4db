import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { purgeCommunity } from '../../src/community.ts';
import type { Service } from '../../src/service.ts';
import { temporaryFolder } from '../support/folder.ts';
import { checkAsync } from '../support/long.ts';
import { ManualTimers } from '../support/manual-timers.ts';
import { steps } from '../support/steps.ts';
import { type Lab, openLab, totalsOf } from './support.ts';

const DAY = 86_400;
const VIEWERS = ['a', 'b', 'c', 'author'];
const ACTS = ['like', 'comment', 'share', 'hide', 'report', 'view'];

type Step =
  | { kind: 'page'; user: string; count: number }
  | { kind: 'act'; user: string; type: string; item: number; add: boolean }
  | { kind: 'wait'; seconds: number }
  | { kind: 'erase'; user: string }
  | { kind: 'delete'; item: number }
  | { kind: 'hide'; user: string; hidden: boolean }
  | { kind: 'percent'; percent: number }
  | { kind: 'toggle' | 'rename' | 'recreate' | 'restart' | 'checkpoint' | 'purge' | 'items' };

const user = fc.constantFrom(...VIEWERS);
const item = fc.nat(11);
const step: fc.Arbitrary<Step> = fc.oneof(
  steps(8, 'page', { user, count: fc.integer({ min: 1, max: 4 }) }),
  steps(10, 'act', {
    ...{ user, type: fc.constantFrom(...ACTS), item },
    add: fc.integer({ min: 0, max: 4 }).map((drawn) => drawn > 0),
  }),
  steps(3, 'wait', { seconds: fc.constantFrom(1, 3_000, 40_000, DAY, 2 * DAY) }),
  steps(1, 'erase', { user }),
  steps(1, 'delete', { item }),
  steps(1, 'hide', { user, hidden: fc.boolean() }),
  steps(1, 'percent', { percent: fc.constantFrom(0, 30, 50) }),
  steps(4, ['toggle', 'rename', 'recreate', 'restart', 'checkpoint', 'purge', 'items'], {}),
);

/** A service with an experiment, which is opened again after restarts. Items are retired after two days. */
class Story {
  private id = '';
  private feed_id = '';
  private other = '';

  constructor(
    private lab: Lab,
    private readonly data: string,
  ) {}

  static async open(data: string, clock?: Lab['server']['clock']): Promise<Lab> {
    const opening = { writes_checkpoints: true, retires_items: true, timers: new ManualTimers() };
    return openLab({ data, clock, settings: { retention_days: 2 }, opening });
  }

  get service(): Service {
    return this.lab.server.service;
  }

  async begin(): Promise<void> {
    await this.lab.items(6);
    const { left, right } = await this.lab.feeds();
    Object.assign(this, { feed_id: left, other: right });
    this.id = await this.lab.start(left, right, { attribution_hours: 12 });
  }

  async take(taken: Step): Promise<void> {
    const { lab } = this;
    switch (taken.kind) {
      case 'page': {
        const request = { user_id: taken.user, feed_id: this.feed_id, top_k: 3 };
        await lab.page('popular', { ...request, impression_count: taken.count });
        break;
      }
      case 'act': {
        const side = taken.item % 2 === 0 ? 'left' : 'right';
        // The removal of a comment would have to name it.
        const action = taken.add || taken.type === 'comment' ? 'add' : 'remove';
        await lab.act(taken.user, taken.type, `${side}-${Math.floor(taken.item / 2)}`, { action });
        break;
      }
      case 'wait':
        lab.server.clock.advance(taken.seconds);
        break;
      case 'erase':
        await lab.server.call('DELETE', `/v2/farcaster/users/${taken.user}`, undefined, KEY);
        break;
      case 'delete':
        await lab.server.call('DELETE', `/v2/farcaster/items/left-${taken.item}`, undefined, KEY);
        break;
      case 'hide':
        await lab.add('users', { user_id: taken.user, hidden: taken.hidden });
        break;
      case 'items':
        await lab.items(6);
        break;
      default:
        await this.manage(taken);
    }
  }

  async close(): Promise<void> {
    await this.lab.server.close();
  }

  /** The totals of the running period and of former ones. */
  async totals(): Promise<unknown> {
    const { results, ended_periods } = await this.lab.data(this.id);
    return [results, ...ended_periods].map((period) => totalsOf(period));
  }

  private async manage(
    taken: Exclude<Step, { kind: 'page' | 'act' | 'wait' | 'erase' | 'delete' | 'hide' }>,
  ) {
    const { lab, id } = this;
    switch (taken.kind) {
      case 'percent':
        await lab.change(id, { variants: [{ name: 'other', percent: taken.percent }] });
        break;
      case 'toggle': {
        const { status } = await lab.data(id);
        await lab.change(id, { status: status === 'running' ? 'stopped' : 'running' });
        break;
      }
      case 'rename':
        await lab.change(id, { name: 'Renamed' });
        break;
      case 'recreate':
        await lab.call('DELETE', `/${id}`);
        this.id = await lab.start(this.feed_id, this.other);
        break;
      case 'restart':
        await lab.server.close();
        this.lab = await Story.open(this.data, lab.server.clock);
        break;
      case 'checkpoint':
        await this.service.checkpoints?.writeNow();
        break;
      case 'purge':
        await purgeCommunity(this.service);
        await this.service.store.purgeRetired(new AbortController().signal);
        break;
    }
  }
}

const KEY = { authorization: 'Bearer test-key' };

/** What changes nothing that was counted. */
const UNCOUNTED: ReadonlySet<Step['kind']> = new Set([
  'delete',
  'items',
  'rename',
  'restart',
  'checkpoint',
  'purge',
]);

test('results stay the same after restarts and purges, and when items are deleted or retired', async () => {
  await checkAsync(3, [fc.array(step, { minLength: 20, maxLength: 50 })], async (steps) => {
    const data = temporaryFolder('experiments');
    const story = new Story(await Story.open(data), data);
    try {
      await story.begin();
      for (const each of steps) {
        const before = UNCOUNTED.has(each.kind) ? await story.totals() : undefined;
        await story.take(each);
        if (before !== undefined) expect(await story.totals()).toEqual(before);
      }
    } finally {
      await story.close();
    }
  });
});
