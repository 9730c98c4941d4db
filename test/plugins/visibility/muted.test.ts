import { TEST_NOW, testVisibilityRule } from 'feedloom/plugin/testing';
import { builtIn } from '../built-in.ts';

const items = {
  plain: {},
  wordy: { text: 'Late night', tags: ['vinyl'], link_titles: ['A title'], alt_texts: ['A picture'] },
  'by muted': { author_id: 'muted' },
  'in muted': { author_id: 'friend', channel: 'muted' },
  'in other': { author_id: 'friend', channel: 'other' },
  'clearly politics': { ai_labels: { politics: 0.9 } },
  'hardly politics': { ai_labels: { politics: 0.6 } },
  own: { author_id: 'viewer', text: 'late night', channel: 'muted', ai_labels: { politics: 1 } },
};
const all = Object.keys(items);
const without = (...dropped: string[]) => all.filter((item) => !dropped.includes(item));
const until = (time: number) => ({ value: 'muted', until: time });

/** A viewer with these mutes. */
const muting = (muted: object) => ({ viewer: { preferences: { muted } } });

testVisibilityRule(builtIn, 'muted', {
  viewer: 'viewer',
  items,
  cases: [
    { name: 'drops nothing for a viewer without preferences', expect: all },
    {
      name: 'drops items of muted authors and keeps own items',
      users: muting({ authors: ['muted', 'viewer', 'unknown'] }),
      expect: without('by muted'),
    },
    {
      name: 'drops items of muted channels and keeps own items',
      users: muting({ channels: ['muted', 'unknown'] }),
      expect: without('in muted'),
    },
    {
      name: 'drops items with a score of a muted label above the threshold of the service',
      users: muting({ labels: ['politics', 'unknown'] }),
      expect: without('clearly politics'),
    },
    ...['late', 'LATE night', 'nig*', '#vinyl', 'vinyl', 'title', 'picture'].map((word) => ({
      name: `drops items with the muted word ${word} in a text, a tag, a title or a description, and keeps own items`,
      users: muting({ words: ['unheard of', word, { value: 'plain', until: TEST_NOW }] }),
      expect: without('wordy'),
    })),
    {
      name: 'drops items until the end of a mute',
      users: muting({ authors: [until(TEST_NOW + 1)], channels: [until(TEST_NOW)] }),
      expect: without('by muted'),
    },
    {
      name: 'drops nothing by the mutes of others, and nothing without a viewer',
      users: muting({ authors: ['muted'] }),
      viewer: undefined,
      expect: all,
    },
  ],
});
