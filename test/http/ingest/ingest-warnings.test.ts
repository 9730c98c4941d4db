import { describe, expect, test } from 'bun:test';
import { forFile, START } from '../../support/service.ts';
import { type Fields, ingestPath, type Kind, openCommunity } from '../support.ts';

const community = await forFile(openCommunity());
await community.addItem('known');

/** The warnings about records, all of which must be accepted. */
async function warningsOf(kind: Kind, ...records: Fields[]): Promise<string[] | undefined> {
  const { status, body } = await community.server.post(ingestPath(kind), records);
  expect([status, body.accepted]).toEqual([200, records.length]);
  return body.warnings;
}

const item = (item_id: string, fields: Fields = {}): Fields => ({
  item_id,
  author_id: 'author',
  created_at: START,
  ...fields,
});

describe('what a record cannot keep is dropped with a warning', () => {
  test('a link that is too long or not http(s) is dropped with a warning', async () => {
    const embed_items = [`https://a.example/${'x'.repeat(5000)}`, 'https://b.example/', 'ipfs://Qm12'];
    expect(await warningsOf('items', item('one'), item('two', { embed_items }))).toEqual([
      'embed_items: a link of more than 4,096 characters was dropped (first in record 1)',
      'embed_items: a link that is not an http(s) URL was dropped (first in record 1)',
    ]);
    expect(await community.stored('items', 'two')).toMatchObject({
      embed_items: ['https://b.example/'],
      embed_domains: ['b.example'],
    });
  });

  test('text after the 100,000th character is dropped with a warning', async () => {
    expect(await warningsOf('items', item('long', { text: '🎉'.repeat(100_001) }))).toEqual([
      `text: characters after the first 100,000 were dropped; got "${'🎉'.repeat(20)}…" (first in record 0)`,
    ]);
    const { text } = (await community.stored('items', 'long')) as { text: string };
    expect(text).toBe('🎉'.repeat(100_000));
  });

  test('list entries after the 1,000th are dropped with a warning', async () => {
    const mentioned_profiles = Array.from({ length: 1500 }, (_, at) => at);
    expect(await warningsOf('items', item('many', { mentioned_profiles }))).toEqual([
      'mentioned_profiles: entries after the first 1,000 were dropped (first in record 0)',
    ]);
    expect((await community.stored('items', 'many'))?.mentioned_profiles).toHaveLength(1000);
  });

  test('an invalid picture of a user is dropped with a warning, and the stored one stays', async () => {
    const pfp_url = 'https://a.example/a.png';
    await community.add('users', { user_id: 'pictured', pfp_url });
    const given = { user_id: 'pictured', username: 'p', pfp_url: 'javascript:alert(1)' };
    expect(await warningsOf('users', given)).toEqual([
      'pfp_url: a link that is not an http(s) URL was dropped (first in record 0)',
    ]);
    expect(await community.stored('users', 'pictured')).toMatchObject({ username: 'p', pfp_url });
  });

  test('invalid times and identifiers still refuse the record', async () => {
    const embed_items = ['ipfs://x'];
    const { status, body } = await community.server.post(ingestPath('items'), [
      item('', { embed_items }),
      item('x', { embed_items, created_at: 'yesterday' }),
      item('y', { embed_items, parent_item_id: {} }),
    ]);
    expect([status, body.rejected_count, body.warnings]).toEqual([400, 3, undefined]);
  });
});

describe('a doubtful record is taken with a warning', () => {
  test('an act on an unknown item is accepted with a warning', async () => {
    const like = (item_id: string, fields: Fields = {}): Fields => ({
      user_id: 'fan',
      item_id,
      event_type: 'like',
      ...fields,
    });
    const warnings = await warningsOf(
      'interactions',
      like('known'),
      like('unknown'),
      like('unknown', { event_type: 'view' }),
      like('other', { action: 'remove' }),
    );
    const warning = "there is no item 'unknown' so far; acts on it count once it is there";
    expect(warnings).toEqual([`${warning} (first in record 1)`]);
    expect(await warningsOf('interactions', like('known'))).toBeUndefined();
    await community.remove('items', 'known');
    expect(await warningsOf('interactions', like('known'))).toHaveLength(1);
    await community.addItem('known', { revive: true });
    expect(await warningsOf('interactions', like('known'))).toBeUndefined();
  });

  test('a record further in the future than clocks differ is accepted with a warning', async () => {
    const far = START + 1e8;
    const near = START + 60;
    const act = { user_id: 'fan', item_id: 'known', event_type: 'like' };
    const counts = "lies ahead of the service's clock; it counts as now (first in record 1)";
    expect(await warningsOf('interactions', { ...act, timestamp: near }, { ...act, timestamp: far })).toEqual(
      [`timestamp: ${counts}`],
    );
    const follow = { user_id: 'fan', target_user_id: 'author' };
    expect(
      await warningsOf('follows', { ...follow, timestamp: near }, { ...follow, timestamp: far }),
    ).toEqual([`timestamp: ${counts}`]);
    const ahead = { created_at: far, likes_count: 3, updated_at: far };
    expect(await warningsOf('items', item('near', { created_at: near }), item('far', ahead))).toEqual([
      "created_at: lies ahead of the service's clock; items are not shown before their time (first in record 1)",
      `updated_at: ${counts}`,
    ]);
  });

  test('an answer lists the first hundred warnings about doubtful records', async () => {
    const likes = Array.from({ length: 300 }, (_, at) => ({
      user_id: 'fan',
      item_id: `missing-${at}`,
      event_type: 'like',
    }));
    const warnings = (await warningsOf('interactions', ...likes)) ?? [];
    expect(warnings).toHaveLength(101);
    expect(warnings[99]).toStartWith("there is no item 'missing-99' so far");
    expect(warnings[100]).toBe('further warnings are not listed');
  });
});
