import { expect } from 'bun:test';
import type { ShownPage } from '../../../src/model/shown-page.ts';
import { signalKey } from '../../../src/model/signal-key.ts';
import type { FeedType } from '../../../src/plugin/index.ts';
import { START, type TestServiceOptions } from '../../support/service.ts';
import { LoggedCommunity } from '../logged-community.ts';
import { type Fields, feedPath, KEY } from '../support.ts';

export const WINDOW = 60;
export const LEARNED = 'learned_v0.0.1';
const PATH = '/api/learning';

/** A community with a saved trending feed that learns. `p…` are popular, `q…` have no acts, so the default shows them last. */
export class Lab {
  feed_id = '';

  private constructor(readonly community: LoggedCommunity) {}

  static async open({ settings, ...options }: TestServiceOptions = {}, config: Fields = {}): Promise<Lab> {
    const community = await LoggedCommunity.open({
      ...options,
      settings: { learn_window_s: WINDOW, ...settings },
    });
    const lab = new Lab(community);
    for (let at = 0; at < 6; at++) {
      const counts = { likes_count: 40 + at, updated_at: START - 100 };
      await community.addItem(`p${at}`, { created_at: START - 7_200 + at, author_id: `p${at}`, ...counts });
      await community.addItem(`q${at}`, { created_at: START - 7_200 - at, author_id: `q${at}` });
      await community.add('users', { user_id: `q${at}`, username: `q${at}` });
    }
    lab.feed_id = await lab.save({ scoring: LEARNED, show_interacted_items: true, ...config });
    return lab;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.community[Symbol.asyncDispose]();
  }

  async save(config: Fields, endpoint = 'feeds/trending'): Promise<string> {
    const { status, body } = await this.community.server.post('/api/feed/config', {
      name: 'Feed',
      endpoint,
      config,
    });
    expect({ status, errors: body.errors }).toEqual({ status: 201, errors: undefined });
    return body.data.config_id;
  }

  async ask(user_id: string, fields: Fields = {}, feed_type: FeedType = 'trending') {
    const { status, body } = await this.community.server.post(feedPath(feed_type), {
      ...{ user_id, feed_id: this.feed_id, ...fields },
    });
    expect({ status, detail: body.detail }).toEqual({ status: 200, detail: undefined });
    return body;
  }

  async order(user_id: string, fields: Fields = {}): Promise<string[]> {
    const { body } = await this.ask(user_id, fields);
    return body.map(({ item_id }: { item_id: string }) => item_id);
  }

  /** What orders the pages of a viewer. */
  async mode(user_id: string): Promise<string | null> {
    return (await this.ask(user_id, { explain: true })).trace.learning;
  }

  /** A page of a viewer, who then bookmarks an item. Bookmarks do not count as engagement, so the default stays. */
  async show(user_id: string, acts_on?: string, fields: Fields = {}): Promise<void> {
    await this.ask(user_id, fields);
    await this.community.log();
    if (acts_on === undefined) return;
    await this.community.act(user_id, 'bookmark', acts_on, { timestamp: this.community.now });
  }

  /** Lets the windows of all pages pass. */
  async pass(seconds = WINDOW + 1): Promise<void> {
    await this.community.log();
    this.community.server.clock.advance(seconds);
    await this.community.add('users', { user_id: `passer-by ${this.community.now}` });
  }

  async learning() {
    return this.community.data(`${PATH}?feed_id=${this.feed_id}`);
  }

  async change(action: string, feed_id = this.feed_id): Promise<number> {
    return (await this.community.server.call('PATCH', PATH, { feed_id, action }, KEY)).status;
  }

  async weight(signal: string): Promise<{ used: number; learnt: number; prior: number }> {
    const { weights } = await this.learning();
    return weights.find((weight: { signal: string }) => weight.signal === signal);
  }

  /** The logged pages, oldest first. */
  async logged(): Promise<ShownPage[]> {
    await this.community.log();
    const pages: ShownPage[] = [];
    await this.community.server.service.store.replay((change) => {
      if (change.kind === 'shown') pages.push(change.page);
    });
    return pages;
  }
}

/** The values of a signal on a logged page, in 8 bits. */
export function bytesOf({ signals, signal_values }: ShownPage, signal: string): number[] {
  const at = signals.indexOf(signalKey(signal));
  return [...signal_values].filter((_, index) => index % signals.length === at);
}
