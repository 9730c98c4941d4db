import type { TestItem, TestWorld } from 'feedloom/plugin/testing';
import { acts, DAY, HOUR } from '../built-in.ts';

/** A world in which each scoring function of for-you feeds ranks a different item first. */

/** The golden scores are those of this moment. */
export const NOW = 1_700_000_000;
/** Items of an interest that are older than 36 hours. */
const JAZZ = [0, 1, 2, 3, 4, 5].map((index) => `jazz ${index}`);
const SHOWN = ['long taste', 'recent taste', 'three friends', 'the closest', 'the crowd', 'no user'];
const FANS = ['f', 'g', 'h'].map((fan) => `jazz fan ${fan}`);
const PLAYERS = ['fan', 'player', 'teacher', 'pupil', 'master', 'guest', 'club'];
const at = (timestamp: number) => ({ timestamp });
const before = (hours: number) => at(NOW - hours * HOUR);

const posted = (author_id: string, hours: number) => ({ author_id, created_at: NOW - hours * HOUR });

const items: Record<string, TestItem> = {
  ...Object.fromEntries(JAZZ.map((id) => [id, posted('musician', 6 * 24)])),
  chess: posted('author of chess', 10),
  'hidden one': posted('author of hidden', 10),
  'hidden two': posted('author of hidden', 10),
  ...Object.fromEntries(SHOWN.map((of) => [`of ${of}`, posted(`author of ${of}`, 10)])),
  // The state is one of now, because something happens now.
  'by the musician': { ...posted('musician', 1), updated_at: NOW },
  'of the hidden': { ...posted('author of hidden', 10), updated_at: NOW },
};

/**
 * The viewer has liked jazz for days, and chess for an hour. They follow three users without common interests, and one
 * close user. They hid items of one author. There is one item for each of these, one with current demand, and one
 * without any engagement.
 */
export const forYou: TestWorld = {
  now: NOW,
  viewer: 'viewer',
  items,
  users: {
    viewer: { follows: ['one', 'two', 'three', 'close'] },
    close: { follows: ['viewer'] },
  },
  interactions: [
    ...FANS.flatMap((fan) => acts(fan, 'like', JAZZ, at(NOW - 6 * DAY))),
    ...JAZZ.flatMap((id, index) => acts('viewer', 'like', id, at(NOW - (4 - index / 2.5) * DAY))),
    ...acts('viewer', 'hide', ['hidden one', 'hidden two'], before(10)),
    ...acts('close', 'like', ['jazz 0', 'jazz 1', 'chess'], before(3)),
    ...FANS.flatMap((fan) => acts(fan, 'like', 'of long taste', before(3))),
    ...PLAYERS.flatMap((player) => acts(`chess ${player}`, 'like', 'chess', before(3))),
    ...acts('viewer', 'like', 'chess', before(1)),
    ...acts('chess fan', 'like', 'of recent taste', before(0.5)),
    ...acts('close', 'share', 'of the closest', before(0.5)),
    ...['one', 'two', 'three'].flatMap((friend) => acts(friend, 'like', 'of three friends', before(0.5))),
    ...Array.from({ length: 12 }, (_, index) =>
      acts(`somebody ${index}`, 'like', 'of the crowd', at(NOW - HOUR / 2 + 60 * (index + 1))),
    ).flat(),
  ],
};
