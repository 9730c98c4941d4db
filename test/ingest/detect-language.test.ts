import { describe, expect, test } from 'bun:test';
import { eld } from 'eld/extrasmall';
import { createLanguageDetector, detectedLanguages } from '../../src/ingest/detect-language.ts';
import { primaryLanguage } from '../../src/plugin/index.ts';

const detector = createLanguageDetector();
await detector.load();

describe('the language of a text', () => {
  test.each([
    ['en', 'The quick brown fox jumps over the lazy dog'],
    ['de', 'Das ist ein schöner Tag, wir gehen heute spazieren'],
    ['fr', 'Bonjour à tous, comment allez-vous aujourd’hui ?'],
    ['ja', 'これは日本語のテキストです。今日はいい天気ですね'],
    ['fil', 'Kumusta ka na? Gusto kong kumain ng adobo at kanin mamaya'],
    ['no', 'Jeg liker å gå turer i fjellet om sommeren når det er varmt og fint'],
    ['he', 'שלום לכולם, מה שלומכם היום? אני מקווה שהכל בסדר'],
    ['ms', 'Saya ingin pergi ke pasar untuk membeli buah dan sayuran besok pagi'],
    ['ru', 'Сегодня хорошая погода, мы идём гулять в парк'],
  ])('%s is recognised', (language, text) => expect(detector.detect(text)).toBe(language));

  test.each([
    ['empty', ''],
    ['short', 'good morning'],
    ['19 characters', 'this is a good day!'],
    ['digits', '12345 67890 12345 67890 12345'],
    ['the same letter', 'a'.repeat(50)],
    ['a link', 'https://example.com/the-quick-brown-fox-jumps-over-the-lazy-dog'],
    ['a link of another scheme', 'recast:farcaster://casts/0x6f2a0be7c9d1e4f3a5b8c7d6e5f4a3b2c1d0e9f8'],
    ['mentions', '@the_quick @brown.fox @jumps-over @the_lazy @dog'],
    ['emoji', '🎉'.repeat(30)],
    ['half a surrogate pair', '\ud83c'.repeat(30)],
  ])('is unknown when the text is %s', (_, text) => expect(detector.detect(text)).toBeUndefined());

  test('does not depend on links and mentions around it', () => {
    const text = 'Das ist ein schöner Tag, wir gehen heute spazieren';
    expect(detector.detect(`@the_best_of_english https://example.com/this-is-english ${text}`)).toBe('de');
  });

  test('is one of the listed ones, which are all languages of the detector', () => {
    const known = Object.values(eld.info().Languages).map(primaryLanguage);
    const listed = detectedLanguages().map(({ language }) => language);
    expect(listed.map(primaryLanguage).toSorted()).toEqual(known.toSorted());
    expect(listed).toEqual(listed.toSorted());
  });

  test('of a very long text costs as much as of a short one', () => {
    expect(detector.detect('This is a rather long story. '.repeat(3_000))).toBe('en');
  });

  test('cannot be detected before the detector is loaded', () => {
    expect(() => createLanguageDetector().detect('x')).toThrow('not loaded');
  });
});
