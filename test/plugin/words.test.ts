import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { hashtagsOf, tagOf, wordsOf } from '../../src/plugin/words.ts';
import { check } from '../support/long.ts';

/** Texts that are cut into words, by what they show. The words are separated by blanks. */
const CUT: readonly [what: string, text: string, words: string][] = [
  ['punctuation', 'Hello, World! (3.14) <b>', 'hello world 3 14 b'],
  ['apostrophes within words', "don't rock’n’roll 'quoted' l‘amour", "don't rock'n'roll quoted l'amour"],
  ['apostrophes between digits and letters', "1'000 90's", "1'000 90 s"],
  ['apostrophes of other languages', 'п’ять пʼять צ׳ק', "п'ять п'ять צ'ק"],
  ['underscores, hyphens and dots', 'snake_case late-night example.com', 'snake case late night example com'],
  ['URLs', 'https://jazz.example/late-night?id=7', 'https jazz example late night id 7'],
  ['names of programming languages', 'C++, c# (F#) Ｃ＃', 'c++ c# f# c#'],
  ['signs that are none', 'a++x c#tag jazz# jazz++ A+ c## ++', 'a x c tag jazz jazz a c'],
  ['full case folding', 'Straße STRASSE ẞ ΟΔΟΣ οδος ŉ', 'strasse strasse ss οδοσ οδοσ n'],
  ['the dotted and the dotless i', 'ıI İ', 'ıi i̇'],
  ['compatibility forms', 'ＪＡＺＺ ﬁne ① ｶﾞｷﾞ', 'jazz fine 1 ガギ ギ'],
  ['accents', 'e\u0301te\u0301 été ete', 'été été ete'],
  [
    'characters without a width',
    'jazz\u00adclub ze\u200bro \u2066bidi\u2069 a\u034f\u0301 a\ufe0f\u0301',
    'jazzclub zero bidi á á',
  ],
  ['Devanagari', 'हिन्दी में', 'हिन्दी में'],
  ['Arabic with vowels, and Persian with a joiner', 'مُحَمَّد می‌خواهم', 'مُحَمَّد میخواهم'],
  ['Hebrew with points', 'שָׁלוֹם־עוֹלָם', 'שָׁלוֹם עוֹלָם'],
  ['Korean', '한국어 음악을', '한국어 음악을'],
  ['Han and Hiragana', '黒猫が、犬', '黒猫 猫が が 犬'],
  ['pairs beside other words', 'jazz黒猫2024年', 'jazz 黒猫 猫 2024 年'],
  ['Katakana with a long vowel', 'ラーメン・カレー', 'ラー ーメ メン ン カレ レー ー'],
  ['Thai', 'กี่ตัว', 'กี่ตั ตัว ว'],
  ['Lao, Khmer and Myanmar', 'ລາວ ខ្មែ မြန်', 'ລາ າວ ວ ខ្មែ មែ မြန် န်'],
  ['characters beyond the first plane', '𠮷野 𝐉𝐚𝐳𝐳', '𠮷野 野 jazz'],
  ['emoji', '🎷🎸jazz🎷 ❤️ ❤', '🎷 🎸 jazz 🎷 ❤ ❤'],
  ['sequences of emoji', '👨‍👩‍👧👍🏽 🏳️‍🌈 🏴󠁧󠁢󠁥󠁮󠁧󠁿', '👨‍👩‍👧 👍🏽 🏳‍🌈 🏴󠁧󠁢󠁥󠁮󠁧󠁿'],
  ['flags', '🇩🇪🇫🇷 🇩', '🇩🇪 🇫🇷 🇩'],
  ['keycaps', '1️⃣23️⃣ #️⃣ *⃣', '1⃣ 2 3⃣ #⃣ *⃣'],
  ['joiners and tags outside an emoji', 'ja\u200dzz ja\u{e0067}zz', 'jazz jazz'],
  ['hashtags', '#vinyl ＃カメラ #', 'vinyl カメ メラ ラ'],
  ['nothing', ' … \ud800 \udc00 \u0301 ', ''],
];

describe('a text is cut into words:', () => {
  test.each(CUT)('%s', (_, text, words) => {
    expect(wordsOf(text)).toEqual(words.split(' ').filter(Boolean));
  });

  test('a long word is cut, so that it still equals itself', () => {
    const [word] = wordsOf('x'.repeat(100_000));
    expect(word.length).toBe(64);
    expect(wordsOf(`${'x'.repeat(63)}𐐨𐐨`)[0].isWellFormed()).toBe(true);
  });

  test('words are well-formed and cut into themselves, whatever the text', () => {
    const texts = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }));
    check(100, [texts], (text) => {
      for (const word of wordsOf(text)) {
        expect(word.isWellFormed()).toBe(true);
        expect(wordsOf(word)[0]).toBe(word);
      }
    });
  });

  test('texts that differ in case or in the form of accents have the same words', () => {
    const letters = fc.string({ unit: 'grapheme' }).filter((text) => !/[ıİ]/.test(text));
    check(100, [letters], (text) => {
      expect(wordsOf(text.normalize('NFD'))).toEqual(wordsOf(text.normalize('NFC')));
      expect(wordsOf(text.toLowerCase())).toEqual(wordsOf(text));
    });
  });

  test('every character is cut as by the other nodes of the release', () => {
    const hash = new Bun.CryptoHasher('sha256');
    for (let code = 0; code < 0xe0200; code++) {
      hash.update(wordsOf(`x${String.fromCodePoint(code)}y`).join(' ')).update('\n');
      // Nothing is assigned between the ideographs and the last characters.
      if (code === 0x33fff) code = 0xdffff;
    }
    // Another version of the runtime may know more characters. Then the words of older checkpoints have to be cut again.
    expect(hash.digest('hex')).toBe('334bda9f4655ab2c21465b2adef06d7407d26b09d37241f93316f628cffc05d3');
  });
});

describe('hashtags', () => {
  test.each<[text: string, tags: string]>([
    ['#vinyl and #Late_Night, #vinyl', '#vinyl #late_night #vinyl'],
    ['＃カメラ ﹟x #été #e\u0301te\u0301 #हिन्दी', '#カメラ #x #été #été #हिन्दी'],
    ['(#a) #b#c #2024jazz #1 #_ # ## #·', '#a #b #2024jazz'],
    ['x#no &#x27; https://a.example/#part', ''],
    ['#ja\u200bzz #ビートルズ・ファン', '#jazz #ビートルズ・ファン'],
  ])('are found in %p', (text, tags) => {
    expect(hashtagsOf(text)).toEqual(tags.split(' ').filter(Boolean));
  });

  test.each<[string, string | undefined]>([
    ['vinyl', '#vinyl'],
    ['＃Vinyl ', '#vinyl'],
    [' ##  Hip  Hop', '#hip hop'],
    ['C#', '#c#'],
    ['#', undefined],
    ['#!', undefined],
    ['', undefined],
  ])('are compared by their names: %p', (name, tag) => {
    expect(tagOf(name)).toBe(tag);
  });
});
