import { testPromotionStrategy } from 'feedloom/plugin/testing';
import plugin from './every-nth';

testPromotionStrategy(plugin, 'acme/every_nth_v1.0.0', {
  main: ['a', 'b', 'c', 'd', 'e'],
  cases: [
    {
      name: 'takes every n-th slot',
      options: { n: 3 },
      promoted: ['p', 'q', 'r'],
      page: 6,
      expect: ['a', 'b', '*p', 'c', 'd', '*q'],
    },
    {
      name: 'goes on with the feed when nothing is promoted',
      options: { n: 2 },
      promoted: [],
      page: 3,
      expect: ['a', 'b', 'c'],
    },
    {
      name: 'shows an item of both lists once',
      options: { n: 2 },
      promoted: ['a'],
      page: 4,
      expect: ['b', '*a', 'c', 'd'],
    },
    {
      name: 'promotes nothing on a page shorter than n',
      promoted: ['p'],
      page: 3,
      expect: ['a', 'b', 'c'],
    },
    {
      name: 'goes on with what is promoted where the feed ends',
      options: { n: 4 },
      main: ['a', 'p'],
      promoted: ['p', 'q', 'r'],
      page: 8,
      expect: ['a', '*p', '*q'],
    },
  ],
  refuses: [{ n: 1 }, { n: 2.5 }, { every: 5 }],
});
