import { testFilter } from 'feedloom/plugin/testing';
import { builtIn, sentences } from '../built-in.ts';

/** Filters by words of items. How texts are cut into words is in test/plugin/words.test.ts. */

const items = {
  jazz: { text: 'Late night JAZZ' },
  tagged: { text: 'New record #Vinyl' },
  synths: { text: 'night, late: synthesisers' },
  tokyo: { text: '東京都の夜' },
  silent: {},
};
const ALL = Object.keys(items);
const without = (...left_out: string[]) => ALL.filter((id) => !left_out.includes(id));

testFilter(builtIn, 'words', {
  items,
  cases: sentences({
    'keeps items with at least one of the words, written in any case': [
      [['jazz'], ['jazz']],
      [
        ['Jazz', 'RECORD'],
        ['jazz', 'tagged'],
      ],
      [['unheard of'], []],
    ],
    'keeps items with a phrase in its order': [[['late night'], ['jazz']]],
    'keeps items with a word that begins so': [[['synth*'], ['synths']]],
    'keeps items with a hashtag, and with its word': [
      [['#vinyl'], ['tagged']],
      [['vinyl'], ['tagged']],
      [['#jazz'], []],
    ],
    'keeps items with all entries of a list within the list': [
      [[['late', 'night']], ['jazz', 'synths']],
      [
        [['late', 'night', 'synth*'], 'vinyl'],
        ['tagged', 'synths'],
      ],
      [[['late night', 'synth*']], []],
    ],
    'finds letters of scripts without blanks anywhere': [
      [['京都'], ['tokyo']],
      [['夜'], ['tokyo']],
      [['京の'], []],
    ],
    'keeps everything for an empty list': [[[], ALL]],
  }),
  refuses: [[''], ['!'], ['sy*'], ['#'], [[]], [[['jazz']]], [7], Array(501).fill('jazz')],
});

testFilter(builtIn, 'remove_words', {
  items,
  cases: sentences({
    'drops items with at least one of the words': [
      [['jazz', '#vinyl'], without('jazz', 'tagged')],
      [[['late', 'night']], without('jazz', 'synths')],
      [['unheard of'], ALL],
      [[], ALL],
    ],
  }),
  refuses: [['sy*'], [[]]],
});
