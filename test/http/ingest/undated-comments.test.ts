import { describe, expect } from 'bun:test';
import { START } from '../../support/service.ts';
import { type Community, ingestPath, testCommunity as it } from '../support.ts';

const COMMENT = { user_id: 'viewer', item_id: 'item', event_type: 'comment' };

async function commentsOn(community: Community): Promise<unknown> {
  return (await community.stored('items', 'item'))?.comments_count;
}

describe('comments with neither event_id nor timestamp', () => {
  it('each comment without event_id and timestamp is a new comment, also within one body', async (community) => {
    await community.addItem('item');
    await community.add('interactions', ...Array(300).fill(COMMENT));
    expect(await commentsOn(community)).toBe(300);
    await Promise.all([community.add('interactions', COMMENT), community.add('interactions', COMMENT)]);
    expect(await commentsOn(community)).toBe(302);
    // Known or under way, one that is dated so is another.
    const now = { ...COMMENT, user_id: 'other', timestamp: START };
    await community.add('interactions', now, { ...COMMENT, user_id: 'other' }, now);
    await community.add('interactions', now, { ...COMMENT, user_id: 'other' });
    expect(await commentsOn(community)).toBe(305);
  });

  it('comments without a time happen in order of arrival, one millisecond apart', async (community) => {
    await community.addItem('item');
    await community.add('interactions', COMMENT, COMMENT, COMMENT);
    const left: unknown[] = [];
    for (const timestamp of [START, START + 0.001, START + 0.002, START + 0.003]) {
      await community.add('interactions', { ...COMMENT, timestamp, action: 'remove' });
      left.push(await commentsOn(community));
    }
    expect(left).toEqual([2, 1, 0, 0]);
  });

  it('comments without a time are refused if the last would be more than 60 s ahead', async (community) => {
    await community.addItem('item');
    for (let body = 0; body < 6; body++) await community.add('interactions', ...Array(10_000).fill(COMMENT));
    const { body } = await community.server.post(ingestPath('interactions'), Array(3).fill(COMMENT));
    expect([body.accepted, body.rejected_count]).toEqual([1, 2]);
    expect(body.rejected[0].detail).toContain('a comment without event_id may lie at most 60 s ahead');
    community.server.clock.advance(0.001);
    await community.add('interactions', COMMENT);
    expect(await commentsOn(community)).toBe(60_002);
  });

  it('a comment without event_id and timestamp cannot be taken back without naming it', async (community) => {
    await community.addItem('item');
    await community.add('interactions', COMMENT);
    const taken_back = { ...COMMENT, action: 'remove' };
    const { status, body } = await community.server.post(ingestPath('interactions'), taken_back);
    expect(status).toBe(400);
    expect(body.rejected).toEqual([
      { index: 0, detail: 'action: removing a comment needs its event_id or its timestamp' },
    ]);
    expect(await commentsOn(community)).toBe(1);
    await community.add('interactions', { ...taken_back, timestamp: START });
    expect(await commentsOn(community)).toBe(0);
  });
});
