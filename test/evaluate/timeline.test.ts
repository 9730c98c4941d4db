import { describe, expect, test } from 'bun:test';
import { jsonl } from '../interchange/support.ts';
import { actsCsv, countsCsv, itemsJsonl, PRESENT, START, timelineOf } from './support.ts';

describe('a timeline', () => {
  test('a timeline ends with the last act or count that is not in the future, or else the last item', async () => {
    const items = {
      'items.jsonl': itemsJsonl([
        ['a', 0],
        ['of 2100', 2_000_000_000],
      ]),
    };
    const acts = actsCsv([
      ['u', 'a', 10],
      ['u', 'of 2100', PRESENT - START + 1],
    ]);
    const acted = { 'interactions.csv': acts };
    const counted = { 'engagement.csv': countsCsv([['a', 30, 5]]) };
    const span = async (files: object): Promise<number[]> => {
      const timeline = await timelineOf({ ...items, ...files });
      return [timeline.start - START, timeline.end(PRESENT) - START];
    };
    expect(await span(acted)).toEqual([0, 10]);
    expect(await span({ ...acted, ...counted })).toEqual([0, 30]);
    expect(await span({})).toEqual([0, 2_000_000_000]);
    const to_come = actsCsv([['u', 'a', PRESENT - START + 1]]);
    expect(await span({ 'interactions.csv': to_come })).toEqual([0, PRESENT - START + 1]);
  });

  test('a timeline sorts acts and counts by time, and keeps the order of equal times', async () => {
    const timeline = await timelineOf({
      'items.jsonl': itemsJsonl([['a', 0]]),
      'interactions.csv':
        `user_id,item_id,event_type,timestamp,action,event_id\n` +
        `u,b,comment,${START + 30},add,late\nv,a,share,${START + 10},add,\nu,a,comment,${START + 10},remove,early\n`,
      'engagement.csv': countsCsv([
        ['a', 50, 5],
        ['a', 20, 2],
      ]),
    });
    const { acts, counts } = timeline;
    expect(Array.from({ length: acts.length }, (_, at) => acts.record(at))).toEqual([
      { user_id: 'v', item_id: 'a', event_type: 'share', timestamp: START + 10, action: 'add' },
      {
        user_id: 'u',
        item_id: 'a',
        event_type: 'comment',
        timestamp: START + 10,
        action: 'remove',
        event_id: 'early',
      },
      {
        user_id: 'u',
        item_id: 'b',
        event_type: 'comment',
        timestamp: START + 30,
        action: 'add',
        event_id: 'late',
      },
    ]);
    expect(Array.from({ length: counts.length }, (_, at) => counts.record(at))).toEqual([
      { item_id: 'a', timestamp: START + 20, likes_count: 2, comments_count: 0, shares_count: 0 },
      { item_id: 'a', timestamp: START + 50, likes_count: 5, comments_count: 0, shares_count: 0 },
    ]);
    expect([timeline.start, timeline.end(PRESENT)]).toEqual([START, START + 50]);
    expect([acts.until(START + 9), acts.until(START + 10), acts.until(START + 99)]).toEqual([0, 2, 3]);
  });

  test('a timeline contains undescribed items from their first act on', async () => {
    const { described } = await timelineOf({
      'items.jsonl': itemsJsonl([['a', 20]]),
      'interactions.csv': actsCsv([
        ['u', 'a', 25],
        ['u', 'b', 10],
        ['v', 'b', 5],
      ]),
    });
    expect(described.map(({ time, record }) => [time, 'item_id' in record && record.item_id])).toEqual([
      [START + 5, 'b'],
      [START + 20, 'a'],
    ]);
  });

  test('a timeline gives the records before a moment, and right before an act', async () => {
    const timeline = await timelineOf({
      'items.jsonl': itemsJsonl([
        ['a', 0],
        ['b', 20],
      ]),
      'engagement.csv': countsCsv([
        ['a', 10, 1],
        ['a', 20, 2],
      ]),
      'interactions.csv': actsCsv([
        ['u', 'a', 10],
        ['u', 'b', 20],
        ['v', 'b', 20],
      ]),
    });
    const time = START + 20;
    expect(timeline.at(time)).toEqual({ time, described: 2, counts: 2, acts: 3 });
    expect(timeline.at(time - 1)).toEqual({ time: time - 1, described: 1, counts: 1, acts: 1 });
    expect(timeline.before(2)).toEqual({ time, described: 1, counts: 1, acts: 2 });
    expect(timeline.before(0)).toEqual({ time: START + 10, described: 1, counts: 0, acts: 0 });
  });

  test('a timeline removes acts together with items and users that only they name', async () => {
    const timeline = await timelineOf({
      'interactions.csv': actsCsv([
        ['u', 'a', 0, 'view'],
        ['u', 'b', 10, 'view'],
        ['v', 'a', 20, 'comment'],
      ]),
    });
    timeline.withhold((act) => timeline.acts.event_type(act) === 'view');
    const { acts, described } = timeline;
    expect(acts.length).toBe(1);
    expect(acts.record(0)).toMatchObject({ user_id: 'v', item_id: 'a', timestamp: START + 20 });
    expect(described.map(({ time, record }) => [time, 'item_id' in record && record.item_id])).toEqual([
      [START + 20, 'a'],
    ]);
  });

  test('a timeline puts records without a time first, and users and items before follows of the same time', async () => {
    const { described } = await timelineOf({
      'items.jsonl': itemsJsonl([['a', 0]]),
      'users.jsonl': jsonl([{ user_id: 'u' }, { user_id: 'v', created_at: START }]),
      'follows.csv': `user_id,target_user_id,timestamp\nu,v,${START}\nv,u,\n`,
    });
    expect(described.map(({ kind, time }) => [kind, time])).toEqual([
      ['users', undefined],
      ['follows', undefined],
      ['users', START],
      ['items', START],
      ['follows', START],
    ]);
  });

  test('a timeline applies counters at the time of their count, and leaves out those without a time', async () => {
    const timeline = await timelineOf({
      'items.jsonl': jsonl([
        { item_id: 'a', author_id: 'w', created_at: START, likes_count: 7, updated_at: START + 60 },
        { item_id: 'b', author_id: 'w', created_at: START, likes_count: 9 },
      ]),
    });
    expect(timeline.undated_counters).toBe(1);
    expect(timeline.counts.length).toBe(1);
    expect(timeline.counts.record(0)).toEqual({ item_id: 'a', timestamp: START + 60, likes_count: 7 });
    for (const one of timeline.described) expect(one.record).not.toContainKey('counters');
  });
});
