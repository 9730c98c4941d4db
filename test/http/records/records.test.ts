import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { ManualClock } from '../../../src/clock.ts';
import { ENGINES, type Place, withPlace } from '../../store/engines.ts';
import { checkAsync } from '../../support/long.ts';
import { ManualTimers } from '../../support/manual-timers.ts';
import { START, type TestAnswer } from '../../support/service.ts';
import { steps } from '../../support/steps.ts';
import { type Community, type Fields, ingestPath, type Kind, openCommunity } from '../support.ts';
import { type Outcome, RecordsModel, type Version } from './records-model.ts';

/**
 * Items, profiles and acts of a few users, with deletions, erasures and decisions of moderators and of the network, late
 * and repeated, over restarts, checkpoints and purges. What is answered and stored is as `RecordsModel` says.
 */

const USERS = ['ann', 'ben'];
const ITEMS = ['post', 'reply'];
const STEP_SECONDS = 2;

/** The number of the step at whose time it happened, or of its own step; undefined: without a time. */
const at = fc.option(fc.nat(4), { nil: undefined });
const flag = fc.constantFrom(undefined, undefined, undefined, true, false);
const user = fc.constantFrom(...USERS);
const item = fc.constantFrom('post', ...ITEMS);
const version = { created: at, updated: at, decided: at, hidden: flag, by_network: flag };
const rarely = fc.constantFrom(false, false, true);
const step = fc.oneof(
  steps(10, 'item', { id: item, author: fc.option(user), ...version, revive: rarely }),
  steps(6, 'profile', { id: user, ...version, revive: rarely }),
  steps(8, 'interactions', { id: user, other: item, at, ends: rarely }),
  steps(6, ['follows', 'blocks'], { id: user, other: user, at, ends: rarely }),
  steps(6, 'deletion', { id: item, at }),
  steps(4, 'erasure', { id: user, at, keep_items: fc.boolean() }),
  steps(1, ['restart', 'checkpoint', 'purge'], {}),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const ENDINGS = { interactions: 'remove', follows: 'unfollow', blocks: 'unblock' } as const;

/** The community of a place, which restarts. Each history has users and items of its own. */
class Session {
  private readonly clock = new ManualClock(START);
  private open_community: Community | undefined;
  private model = new RecordsModel();
  private history = 0;
  private began_at = START;

  constructor(private readonly place: Place) {}

  async run(steps: readonly Step[]): Promise<void> {
    this.model = new RecordsModel();
    this.history++;
    this.began_at = this.clock.now() + STEP_SECONDS;
    for (const [at, each] of steps.entries()) {
      this.clock.advance(STEP_SECONDS);
      this.model.now = this.clock.now();
      const { seq } = await this.community();
      const [answered, expected] = await this.take(each);
      expect([at, each, answered]).toEqual([at, each, expected]);
      // A deletion of nothing is remembered.
      const stores = expected !== 'warned' || each.kind === 'deletion' || each.kind === 'erasure';
      if (!stores) expect((await this.community()).seq).toBe(seq);
    }
    expect(await this.stored()).toEqual(this.expected());
  }

  async close(): Promise<void> {
    await this.open_community?.server.close();
    this.open_community = undefined;
  }

  private async community(): Promise<Community> {
    const { data, database_url } = this.place;
    const opening = { writes_checkpoints: true, timers: new ManualTimers() };
    const settings = { database_url };
    this.open_community ??= await openCommunity({ data, clock: this.clock, opening, settings });
    return this.open_community;
  }

  private named(id: string): string {
    return `${id}-${this.history}`;
  }

  /** What became of a step, and what should have. */
  private async take(each: Step): Promise<[Outcome, Outcome]> {
    const { model } = this;
    const id = 'id' in each ? this.named(each.id) : '';
    const time = (step_number?: number) =>
      step_number === undefined ? undefined : Math.min(model.now, this.began_at + step_number * STEP_SECONDS);
    switch (each.kind) {
      case 'item': {
        const author_id = each.author === null ? {} : { author_id: this.named(each.author) };
        const given = { ...versionOf(each, time), ...author_id };
        return [await this.send('items', { item_id: id, ...given }), model.item(id, given)];
      }
      case 'profile': {
        const given = versionOf(each, time);
        return [await this.send('users', { user_id: id, ...given }), model.profile(id, given)];
      }
      case 'interactions':
      case 'follows':
      case 'blocks': {
        if (each.id === each.other) return ['done', 'done'];
        const [user_id, other, timestamp] = [id, this.named(each.other), time(each.at)];
        const about =
          each.kind === 'interactions' ? { item_id: other, event_type: 'like' } : { target_user_id: other };
        const action = each.ends ? ENDINGS[each.kind] : undefined;
        const outcome = await this.send(each.kind, { user_id, ...about, timestamp, action });
        return [outcome, model.act(each.kind, { user_id, other, timestamp, adds: !each.ends })];
      }
      case 'deletion': {
        const timestamp = time(each.at);
        return [await this.remove('items', each.id, { timestamp }), model.deleteItem(id, timestamp)];
      }
      case 'erasure': {
        const [timestamp, { keep_items }] = [time(each.at), each];
        const outcome = await this.remove('users', each.id, { timestamp, keep_items });
        return [outcome, model.eraseUser(id, timestamp, keep_items)];
      }
      case 'restart':
        await this.close();
        return ['done', 'done'];
      case 'checkpoint':
        await (await this.community()).server.service.checkpoints?.writeNow();
        return ['done', 'done'];
      case 'purge':
        await (await this.community()).server.service.store.purge();
        return ['done', 'done'];
    }
  }

  private async send(kind: Kind, record: Fields): Promise<Outcome> {
    const { server } = await this.community();
    return outcomeOf(await server.post(ingestPath(kind), record));
  }

  private async remove(kind: 'items' | 'users', id: string, options: Fields): Promise<Outcome> {
    const { server } = await this.community();
    const query = Object.entries(options).flatMap(([name, value]) =>
      value === undefined ? [] : `${name}=${value}`,
    );
    return outcomeOf(await server.remove(`${ingestPath(kind)}/${this.named(id)}?${query.join('&')}`));
  }

  private async stored(): Promise<object> {
    const community = await this.community();
    const viewers = USERS.map(async (id) => {
      const ids = await community.ids('popular', {
        user_id: this.named(id),
        top_k: 1000,
        show_interacted_items: true,
      });
      const user = await community.stored('users', this.named(id));
      const acts = user?.interactions as { item_id: string }[] | undefined;
      return {
        page: ids.filter((item_id) => ITEMS.some((own) => this.named(own) === item_id)).sort(),
        user: user && {
          follows: (user.follows as string[]).toSorted(),
          likes: acts?.map(({ item_id }) => item_id).sort(),
        },
      };
    });
    const pages = await Promise.all(viewers);
    const items = ITEMS.map(async (id) => {
      const item = await community.stored('items', this.named(id));
      return item && [item.author_id, item.likes_count];
    });
    return { pages, items: await Promise.all(items) };
  }

  private expected(): object {
    const { model } = this;
    return {
      pages: USERS.map((id) => this.named(id)).map((id) => ({
        page: model.page(id).sort(),
        user: model.users.has(id)
          ? { follows: model.standing('follows', id), likes: model.standing('interactions', id) }
          : undefined,
      })),
      items: ITEMS.map((id) => {
        const item = model.items.get(this.named(id));
        return item && [item.author_id ?? null, model.likes(this.named(id))];
      }),
    };
  }
}

function versionOf(
  each: Step & { kind: 'item' | 'profile' },
  time: (step_number?: number) => number | undefined,
): Version {
  const given = {
    created_at: time(each.created),
    updated_at: time(each.updated),
    hidden: each.hidden,
    hidden_by_network: each.by_network,
    hidden_by_network_at: time(each.decided),
    revive: each.revive || undefined,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

const WITHOUT_EFFECT = /changed nothing|will change nothing|nothing was deleted/;

function outcomeOf({ status, body }: TestAnswer): Outcome {
  if (status === 404) return 'missing';
  if (status === 400) return 'refused';
  expect([status, body]).toEqual([200, expect.objectContaining({})]);
  return WITHOUT_EFFECT.test((body.warnings ?? []).join()) ? 'warned' : 'done';
}

test.each(ENGINES)('records, deletions and erasures have the documented effect on $name', (engine) =>
  withPlace(engine, async (place) => {
    const session = new Session(place);
    try {
      const count = engine.name === 'sqlite' ? 20 : 4;
      await checkAsync(count, [fc.array(step, { maxLength: 30, size: 'max' })], (steps) =>
        session.run(steps),
      );
    } finally {
      await session.close();
    }
  }),
);
