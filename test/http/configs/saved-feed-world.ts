import { afterAll, beforeAll, beforeEach } from 'bun:test';
import type { FeedType } from '../../../src/plugin/index.ts';
import { START } from '../../support/service.ts';
import { type Account, defaultAccount } from '../config-support.ts';
import { type Community, type Fields, openCommunity } from '../support.ts';

const ITEMS = 40;
const CHANNELS = ['art', 'music'];

/** 40 items, two channels and four authors by turns; the lower the number, the more liked and the newer. */
async function populate(community: Community): Promise<void> {
  const items = Array.from({ length: ITEMS }, (_, at) => ({
    item_id: `item-${at}`,
    author_id: `author-${at % 4}`,
    created_at: START - at * 3600,
    channel: CHANNELS[at % 2],
    likes_count: 100 - at,
    language: at % 8 === 0 ? 'de' : 'en',
  }));
  await community.add('items', ...items);
  await community.act('fan', 'like', 'item-0');
}

export const all = Array.from({ length: ITEMS }, (_, at) => at);
/** The numbers of the items of a channel. */
export const channel = (name: string) => all.filter((at) => CHANNELS[at % 2] === name);

/** A community, its account, and a saved popular feed that is new for each test. */
class SavedFeedWorld {
  community!: Community;
  account!: Account;
  feed_id = '';

  async open(): Promise<void> {
    this.community = await openCommunity();
    this.account = defaultAccount(this.community.server);
    await populate(this.community);
  }

  /** The numbers of the items on a page of the saved feed. */
  async page(request: Fields = {}, feed_type: FeedType = 'popular'): Promise<number[]> {
    const ids = await this.account.page(feed_type, { feed_id: this.feed_id, ...request });
    return ids.map((id) => Number(id.slice('item-'.length)));
  }

  save(config: Fields): Promise<Fields> {
    return this.account.set(this.feed_id, { config });
  }
}

/** The world of a file of tests, opened and closed with them. */
export function savedFeedWorld(): SavedFeedWorld {
  const world = new SavedFeedWorld();
  beforeAll(() => world.open());
  beforeEach(async () => {
    world.feed_id = await world.account.add({ endpoint: 'casts/feed/popular' });
  });
  afterAll(() => world.community.server.close());
  return world;
}
