import type { ManualClock, Random } from '../../../src/clock.ts';
import { ServiceError } from '../../../src/errors.ts';
import type { BodyKind } from '../../../src/ingest/record-kinds.ts';
import type { FeedType } from '../../../src/plugin/index.ts';
import type { Service } from '../../../src/service.ts';
import { Draws } from '../../support/draws.ts';

/**
 * Concurrent senders within one process that all write about the same few users and items, so that every write meets
 * others under way.
 */

const SENDERS = 12;
const USERS = 24;
const ITEMS = 90;
const CHANNELS = 4;
const EVENT_TYPES = ['view', 'like', 'like', 'comment', 'share', 'bookmark', 'hide', 'report'];
const FEED_TYPES: readonly FeedType[] = ['for-you', 'trending', 'popular'];

/** Error codes that some of the records may get. */
const REFUSALS = ['new item', 'another user', 'a comment without event_id', 'removing a comment'];

export class Contention extends Draws {
  constructor(
    private readonly service: Service,
    private readonly clock: ManualClock,
    random: Random,
    /** Other work to run now and then. */
    private readonly meanwhile: () => Promise<void> = async () => {},
  ) {
    super(random);
  }

  /** Rounds of concurrent writes. Time passes between some of them. */
  async run(rounds: number): Promise<void> {
    for (let round = 0; round < rounds; round++) {
      if (this.chance(0.7)) this.clock.advance(this.random() * 3600);
      const also = round % 3 === 0 ? this.meanwhile() : undefined;
      await Promise.all([...Array.from({ length: SENDERS }, () => this.send()), also]);
    }
  }

  // A 404 is expected if the record was deleted or erased a moment before.
  private async send(): Promise<void> {
    try {
      await this.sendOne();
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'not_found') throw error;
    }
  }

  private async sendOne(): Promise<void> {
    const { ingest, feeds } = this.service;
    const draw = this.random();
    if (draw < 0.03) return void (await ingest.deleteUser(this.user()));
    if (draw < 0.08) return void (await ingest.deleteItem(this.item()));
    if (draw < 0.25) {
      const top_k = 1 + this.below(8);
      const request = { user_id: this.user(), top_k, impression_count: top_k, return_metadata: false };
      await feeds.serve(this.pick(FEED_TYPES), request);
      return;
    }
    const kind = this.pick<BodyKind>([
      ...(['items', 'users', 'follows', 'blocks', 'labels', 'interactions', 'interactions'] as const),
    ]);
    const count = this.chance(0.05) ? 501 + this.below(100) : 1 + this.below(12);
    const records = Array.from({ length: count }, () => this.record(kind));
    const { rejected } = await ingest.ingest(kind, records);
    for (const { detail } of rejected) {
      if (!REFUSALS.some((known) => detail.includes(known))) throw new Error(detail);
    }
  }

  private user(): string {
    return `user-${this.below(USERS)}`;
  }

  private item(): string {
    return `item-${this.below(ITEMS)}`;
  }

  /** Past, present (no time), a little in the future, and future. */
  private time(): number | undefined {
    const draw = this.random();
    if (draw < 0.5) return undefined;
    if (draw < 0.55) return this.clock.now() + this.below(60);
    return this.clock.now() + (draw < 0.9 ? -1 : 1) * this.below(200_000);
  }

  private record(kind: BodyKind): object {
    const user_id = this.user();
    const timestamp = this.time();
    switch (kind) {
      case 'items':
        return this.itemRecord();
      case 'users':
        return { user_id, ...this.profile() };
      case 'follows':
        return {
          user_id,
          target_user_id: this.user(),
          timestamp,
          action: this.pick(['follow', 'follow', 'unfollow']),
        };
      case 'blocks':
        return { user_id, target_user_id: this.user(), action: this.pick(['block', 'unblock', 'unblock']) };
      case 'labels':
        return {
          labeler_id: user_id,
          ...(this.chance(0.7) ? { item_id: this.item() } : { user_id: this.user() }),
          value: this.pick(['spam', '!hide']),
          hides: this.chance(0.1),
          action: this.pick(['add', 'remove']),
          timestamp,
        };
      case 'interactions':
        return {
          user_id,
          item_id: this.item(),
          event_type: this.pick(EVENT_TYPES),
          timestamp,
          action: this.pick(['add', 'add', 'add', 'remove']),
          event_id: this.chance(0.3) ? `event-${this.below(3)}` : undefined,
        };
    }
  }

  private profile(): object {
    return {
      display_name: this.chance(0.8) ? `name ${this.below(1000)}` : undefined,
      wallet_addresses: this.chance(0.5) ? [wallet(this.below(8)), wallet(this.below(8))] : undefined,
      hidden: this.chance(0.1) ? this.chance(0.5) : undefined,
      revive: this.chance(0.9) || undefined,
    };
  }

  private itemRecord(): object {
    const described = this.chance(0.8);
    const counted = this.chance(0.3);
    return {
      item_id: this.item(),
      author_id: described ? this.user() : undefined,
      created_at: described ? this.clock.now() - this.below(1_000_000) : undefined,
      text: this.chance(0.7) ? `text ${this.below(10_000)}` : undefined,
      language: 'en',
      channel: this.chance(0.5) ? `channel-${this.below(CHANNELS)}` : undefined,
      hidden: this.chance(0.1) ? this.chance(0.5) : undefined,
      likes_count: counted ? this.below(50) : undefined,
      shares_count: counted ? this.below(9) : undefined,
      updated_at: counted ? this.time() : undefined,
      revive: this.chance(0.9) || undefined,
    };
  }
}

function wallet(index: number): string {
  return `0x${index.toString(16).padStart(40, '0')}`;
}

/** Pages of every viewer, by id, by wallet and without viewer, with all optional fields. */
export async function allPages(service: Service): Promise<Map<string, string>> {
  const viewers: { user_id?: string; wallet_address?: string }[] = [{}];
  for (let index = 0; index < USERS; index++) viewers.push({ user_id: `user-${index}` });
  for (let index = 0; index < 8; index++) viewers.push({ wallet_address: wallet(index) });
  const pages = new Map<string, string>();
  for (const [index, viewer] of viewers.entries()) {
    for (const feed_type of FEED_TYPES) {
      // Without a viewer there is no for-you page.
      if (index === 0 && feed_type === 'for-you') continue;
      for (const filters of [{}, { channels: [`channel-${index % CHANNELS}`] }]) {
        const request = {
          ...viewer,
          filters,
          top_k: 50,
          impression_count: 0,
          return_metadata: true,
          seed: index,
        };
        // Each page has an id of its own.
        const { page_id: _, ...page } = await service.feeds.serve(feed_type, request);
        pages.set(`${feed_type} ${JSON.stringify({ ...viewer, filters })}`, JSON.stringify(page));
      }
    }
  }
  return pages;
}
