import { describe, expect, test } from 'bun:test';
import { FollowedActsReader } from '../../src/answer/followed-acts.ts';
import { coldStartReason } from '../../src/feeds/cold-start.ts';
import { hiddenAuthors } from '../../src/page/viewer.ts';
import { Accumulator } from '../../src/signals/accumulator.ts';
import { reachByAffinity, reachBySocialProof } from '../../src/signals/affinity.ts';
import { dislikesOf } from '../../src/signals/dislikes.ts';
import { LatestActs } from '../../src/signals/latest-acts.ts';
import { Scratch } from '../../src/signals/scratch.ts';
import { State } from '../../src/state/state.ts';
import { type EventKind, Vocabulary } from '../../src/state/vocabulary.ts';
import { itemIds, itemOf, NOW, Scene } from '../support/scene.ts';

const kind = (name: string, rest: Partial<EventKind>): EventKind => ({
  name,
  identified_by: 'pair',
  effect: 'none',
  of_item: true,
  interest: 0,
  ...rest,
});

/** Listeners and songs: interaction types with other names and in another order. */
const SONGS = new Vocabulary(
  [
    kind('skip', { effect: 'hidden', of_item: false }),
    kind('mention', { effect: 'interacted', interest: 1, counter: 'shares_count' }),
    kind('hear', { effect: 'viewed', interest: 0.2 }),
    kind('collect', { effect: 'interacted', interest: 1 }),
    kind('play again', { effect: 'interacted', interest: 1, counter: 'likes_count' }),
    kind('cover', { effect: 'interacted', interest: 1, counter: 'shares_count' }),
  ],
  { backward: 1, fades: false, ages_from: 'creation', acts_create_items: false, user_noun: 'user' },
);

function scene(): Scene {
  const songs = new Scene(new State({ vocabulary: SONGS })).follow('viewer', 'friend');
  for (const id of ['one', 'two', 'three']) songs.item(id, { author: `band of ${id}` });
  return songs;
}

const viewerOf = ({ state }: Scene) => state.users.names.find('viewer');

describe('a community with other interaction types', () => {
  test('derives hidden authors and dislikes from its hiding types', () => {
    const songs = scene().act('viewer', 'skip', 'one').act('viewer', 'hear', 'two');
    const viewer = viewerOf(songs);
    const { state } = songs;
    const authors = [...hiddenAuthors(state, viewer).keys()].map((author) => state.users.names.id(author));
    expect(authors).toEqual(['band of one']);
    const dislike = () => dislikesOf(state, viewer, new Scratch(state).tastes)!(itemOf(songs, 'one'));
    expect(dislike()).toBe(1 / 3);
    songs.item('four', { author: 'band of one' }).act('viewer', 'hear', 'four');
    expect(dislike()).toBe(1 / 3);
    songs.act('viewer', 'collect', 'four');
    expect(dislike()).toBe(1 / 4);
  });

  test('treats viewers without approving interactions as cold', () => {
    const songs = scene().act('viewer', 'hear', 'one').act('viewer', 'skip', 'two');
    const rules = { min_interactions: 1, inactive_days: 30 };
    const cold = () => coldStartReason(songs.state, viewerOf(songs), NOW, rules) !== undefined;
    expect(cold()).toBe(true);
    songs.act('viewer', 'collect', 'three');
    expect(cold()).toBe(false);
  });

  test('shows public interactions of followed users, with its own names and counters', () => {
    const songs = scene()
      .act('friend', 'collect', 'one')
      .act('friend', 'cover', 'two', NOW - 3)
      .act('friend', 'mention', 'two', NOW - 2)
      .act('friend', 'play again', 'two', NOW - 1);
    const { state } = songs;
    const items = ['one', 'two'].map((id) => itemOf(songs, id));
    const [one, two] = new FollowedActsReader(state).read(viewerOf(songs), items, new Scratch(state), NOW);
    expect(one.social_proof).toEqual([]);
    expect(two.social_proof).toEqual([{ user_id: 'friend', timestamp: NOW - 1, interaction: 'play again' }]);
    expect(two.following_engagement).toEqual({ like: 1, comment: 0, share: 1 });
  });

  test('reaches items by approving interactions of followed users, and by social proof', () => {
    const songs = scene()
      .act('friend', 'hear', 'one')
      .act('friend', 'collect', 'two')
      .act('friend', 'cover', 'three');
    const reached = (reach: (into: Accumulator) => void) => {
      const into = new Accumulator();
      reach(into);
      return itemIds(
        songs.state,
        into.entries.ordinals.subarray(into.entries.start, into.entries.end),
      ).sort();
    };
    const options = { closest: false, users: 10, recent: 10, half_life_hours: 24 };
    const viewer = viewerOf(songs);
    const works = { latest_acts: new LatestActs(songs.state), scratch: new Scratch(songs.state) };
    expect(reached((into) => reachByAffinity(songs.state, viewer, NOW, options, works, into))).toEqual([
      'three',
      'two',
    ]);
    expect(reached((into) => reachBySocialProof(songs.state, viewer, NOW, into))).toEqual(['three']);
  });
});
