import { expect, test } from 'bun:test';
import { testScoringFunction } from 'feedloom/plugin/testing';
import { builtIn } from '../built-in.ts';
import { forYou } from './for-you-world.ts';

interface Golden {
  /** What the function ranks first, or last. */
  ranks: string;
  signals: string[];
  /** Best first. */
  scores: Record<string, number>;
}

const BLEND = ['interest_all', 'profile', 'semantic_interest', 'momentum', 'affinity_all', 'dislike'];

/**
 * The scores of the example items by the scoring functions of for-you feeds, with the signals that they use. A change of
 * a formula or of a signal shows here.
 */
const FUNCTIONS: Record<string, Golden> = {
  'balanced_feed_v0.0.1': {
    ranks: 'between interests and followed users, and half of that for items like those that the viewer hid',
    signals: BLEND,
    scores: {
      'of long taste': 0.196368769,
      'of the crowd': 0.166775408,
      'of recent taste': 0.106701713,
      'of the closest': 0.0862972836,
      'by the musician': 0.0476494086,
      'of three friends': 0.0475699843,
      'of no user': 0.0121557476,
      'of the hidden': 0.0060778738,
    },
  },
  'balanced_feed_interest_bias_v0.0.1': {
    ranks: 'items of interests above activity of friends and of all users',
    signals: BLEND,
    scores: {
      'of long taste': 0.755615442,
      'of recent taste': 0.465542997,
      'of the closest': 0.353698557,
      'by the musician': 0.18126857,
      'of the crowd': 0.16513226,
      'of three friends': 0.109557932,
      'of no user': 0.0689787223,
      'of the hidden': 0.0344893612,
    },
  },
  'balanced_feed_affinity_bias_v0.0.1': {
    ranks: 'activity of followed users above items of interests',
    signals: BLEND.filter((signal) => signal !== 'semantic_interest'),
    scores: {
      'of the crowd': 0.304488843,
      'of three friends': 0.200424257,
      'of long taste': 0.172226803,
      'of the closest': 0.146225856,
      'of recent taste': 0.107701079,
      'by the musician': 0.0673864399,
      'of no user': 0.0221932572,
      'of the hidden': 0.0110966286,
    },
  },
  'user_affinity_all_following_v0.0.1': {
    ranks: 'by the number of followed users who acted on an item',
    signals: ['affinity_all', 'momentum', 'dislike'],
    scores: {
      'of three friends': 0.173231483,
      'of the crowd': 0.0525,
      'of the closest': 0.0316372317,
      'by the musician': 0.00495493607,
      'of long taste': 0.00487686103,
      'of recent taste': 0.00412659544,
      'of no user': 0.00305275544,
      'of the hidden': 0.00152637772,
    },
  },
  'user_affinity_closest_following_v0.0.1': {
    ranks: 'by the closest of the followed users who acted on an item',
    signals: ['affinity_closest', 'momentum', 'dislike'],
    scores: {
      'of the closest': 0.0866585043,
      'of the crowd': 0.0525,
      'of three friends': 0.0408566211,
      'by the musician': 0.00495493607,
      'of long taste': 0.00487686103,
      'of recent taste': 0.00412659544,
      'of no user': 0.00305275544,
      'of the hidden': 0.00152637772,
    },
  },
  'user_interest_all_v0.0.1': {
    ranks: 'items of long-term interests, then new items of favourite authors, and the rest by momentum',
    signals: ['interest_all', 'profile', 'semantic_interest', 'momentum', 'dislike'],
    scores: {
      'of long taste': 1.00000005,
      'of recent taste': 0.681527977,
      'of the closest': 0.499572876,
      'by the musician': 0.100000049,
      'of the crowd': 0.000001,
      'of three friends': 1.14982365e-7,
      'of no user': 1.10551088e-8,
      'of the hidden': 5.52755441e-9,
    },
  },
  'user_interest_recent_v0.0.1': {
    ranks: "items of the last hour's interests first",
    signals: ['interest_recent', 'momentum', 'dislike'],
    scores: {
      'of recent taste': 0.45448509,
      'of the closest': 0.295359743,
      'of the crowd': 0.100595847,
      'of three friends': 0.0548381897,
      'by the musician': 0.0448581133,
      'of long taste': 0.0445515641,
      'of no user': 0.0352890459,
      'of the hidden': 0.0176445229,
    },
  },
};

for (const [id, { ranks, signals, scores }] of Object.entries(FUNCTIONS)) {
  testScoringFunction(builtIn, id, {
    ...forYou,
    cases: [
      { name: `ranks ${ranks}`, expect: Object.keys(scores) },
      { name: 'gives the golden score to each example item', expect: scores },
      ...[undefined, 'new'].map((viewer) => ({
        name: `ranks by momentum alone ${viewer ? 'for a new viewer' : 'without a viewer'}`,
        viewer,
        expect: ['of the crowd', 'of three friends', 'of no user'],
      })),
    ],
  });

  test(`${id} is for for-you feeds alone, and names its signals`, () => {
    const { feeds, signals: named } = builtIn.scoring_functions![id];
    expect(feeds).toEqual(['for-you']);
    expect(named?.({}, 'for-you')).toEqual(signals);
  });
}
