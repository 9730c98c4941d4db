import { describe, expect } from 'bun:test';
import type { FeedType } from '../../src/plugin/index.ts';
import { FEED_TYPES, type Fields } from '../http/support.ts';
import { testLab as it, type Lab } from './support.ts';

const VIEWERS = Array.from({ length: 24 }, (_, at) => `viewer-${at}`);

interface Page {
  variant: string | undefined;
  id: string | undefined;
  items: string[];
  source: string[];
}

async function pageOf(lab: Lab, feed_type: FeedType, request: Fields): Promise<Page> {
  const { status, body } = await lab.ask(feed_type, request);
  expect({ status, detail: body.detail }).toEqual({ status: 200, detail: undefined });
  const items = body.body as { item_id: string; source_feed: string }[];
  return {
    variant: body.experiment?.variant,
    id: body.experiment?.id,
    items: items.map(({ item_id }) => item_id),
    source: [...new Set(items.map(({ source_feed }) => source_feed))],
  };
}

for (const feed_type of FEED_TYPES) {
  describe(`a ${feed_type} feed under an experiment`, () => {
    it('is built by the feed of the viewer’s variant, and the answer names it', async (lab) => {
      await lab.items(3);
      const { left, right } = await lab.feeds(feed_type);
      const id = await lab.start(left, right);
      const seen = new Set<string | undefined>();
      for (const user_id of VIEWERS) {
        const page = await pageOf(lab, feed_type, { user_id, feed_id: left });
        seen.add(page.variant);
        const side = page.variant === 'control' ? 'left' : 'right';
        expect(page).toEqual({
          id,
          variant: page.variant,
          items: page.items,
          source: [`main:${side === 'left' ? left : right}`],
        });
        expect(page.items.toSorted()).toEqual([0, 1, 2].map((at) => `${side}-${at}`));
      }
      expect([...seen].sort()).toEqual(['control', 'other']);
    });

    it('is unchanged for held out viewers, and after the experiment was stopped or deleted', async (lab) => {
      await lab.items(2);
      const { left, right } = await lab.feeds(feed_type);
      const none = [
        { name: 'control', feed_id: left, percent: 0 },
        { name: 'other', feed_id: right, percent: 0 },
      ];
      const id = await lab.start(left, right, { variants: none });
      const unchanged = async () => {
        for (const user_id of VIEWERS.slice(0, 6)) {
          const page = await pageOf(lab, feed_type, { user_id, feed_id: left });
          expect([page.variant, page.items.toSorted()]).toEqual([undefined, ['left-0', 'left-1']]);
        }
      };
      await unchanged();
      await lab.change(id, { variants: [{ name: 'other', percent: 100 }] });
      const { variant, items } = await pageOf(lab, feed_type, { user_id: 'viewer-0', feed_id: left });
      expect([variant, items.toSorted()]).toEqual(['other', ['right-0', 'right-1']]);
      await lab.change(id, { status: 'stopped' });
      await unchanged();
      await lab.change(id, { status: 'running' });
      await lab.call('DELETE', `/${id}`);
      await unchanged();
    });
  });
}

describe('pages under an experiment', () => {
  it('viewers without an id are not split, and a wallet is split like its owner', async (lab) => {
    await lab.items(1);
    const wallet_address = '0x00000000000000000000000000000000000000aa';
    await lab.add('users', { user_id: 'viewer-3', wallet_addresses: [wallet_address] });
    const { left, right } = await lab.feeds('popular');
    await lab.start(left, right);
    expect((await pageOf(lab, 'popular', { feed_id: left })).variant).toBeUndefined();
    const owner = await pageOf(lab, 'popular', { feed_id: left, user_id: 'viewer-3' });
    expect(await pageOf(lab, 'popular', { feed_id: left, wallet_address })).toEqual(owner);
    const unknown = { feed_id: left, wallet_address: '0x00000000000000000000000000000000000000bb' };
    expect((await pageOf(lab, 'popular', unknown)).variant).toBeUndefined();
  });

  it('the feed itself is served, uncounted, when the feed of a variant was deleted', async (lab) => {
    await lab.items(1);
    const { left, right } = await lab.feeds('popular');
    const all = [
      { name: 'control', feed_id: left, percent: 0 },
      { name: 'other', feed_id: right, percent: 100 },
    ];
    const id = await lab.start(left, right, { variants: all });
    await lab.account.remove(right);
    const page = await pageOf(lab, 'popular', { feed_id: left, user_id: 'viewer-1', impression_count: 1 });
    expect([page.variant, page.items]).toEqual([undefined, ['left-0']]);
    expect((await lab.totals(id)).other).toMatchObject({ viewers: 0, impressions: 0 });
  });

  it('a request that waits while the feed of its variant is deleted gets the feed itself', async (lab) => {
    await lab.items(2);
    await lab.add('users', { user_id: 'viewer-1' });
    const { left, right } = await lab.feeds('popular');
    const only_right = [
      { name: 'control', feed_id: left, percent: 0 },
      { name: 'other', feed_id: right, percent: 100 },
    ];
    const id = await lab.start(left, right, { variants: only_right });
    const request = { feed_id: left, user_id: 'viewer-1', top_k: 1 };
    const { seen } = lab.server.service;
    const read = seen.read.bind(seen);
    const reading = Promise.withResolvers<void>();
    const deleted = Promise.withResolvers<void>();
    seen.read = async (...given) => {
      reading.resolve();
      await deleted.promise;
      return read(...given);
    };
    const first = lab.ask('popular', { ...request, impression_count: 1 });
    const unrecorded = lab.ask('popular', request);
    const explained = lab.ask('popular', { ...request, explain: true });
    // It waits for the first one of its viewer.
    const second = lab.ask('popular', { ...request, impression_count: 1 });
    await reading.promise;
    await lab.account.remove(right);
    deleted.resolve();
    const answers = await Promise.all([first, unrecorded, explained, second]);
    for (const { status, body } of answers)
      expect([status, body.detail, body.experiment]).toEqual([200, undefined, undefined]);
    expect(answers.map(({ body }) => body.body[0].item_id.split('-')[0])).toEqual(Array(4).fill('left'));
    expect((await lab.totals(id)).other).toMatchObject({ viewers: 0, impressions: 0 });
  });

  it('pages follow one another by cursor within a variant', async (lab) => {
    await lab.items(4);
    const { left, right } = await lab.feeds('popular');
    await lab.start(left, right);
    for (const user_id of VIEWERS.slice(0, 6)) {
      const request = { feed_id: left, user_id, top_k: 3 };
      const first = await lab.ask('popular', request);
      const second = await lab.ask('popular', { ...request, cursor: first.body.cursor });
      const items = [...first.body.body, ...second.body.body].map(({ item_id }) => item_id);
      expect(new Set(items).size).toBe(4);
      expect(second.body.experiment).toEqual(first.body.experiment);
    }
  });
});
