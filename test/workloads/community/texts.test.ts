import { describe, expect, test } from 'bun:test';
import {
  PHRASEBOOKS,
  type Phrasebook,
  type TopicPhrases,
} from '../../../workloads/community/texts/phrasebook.ts';

/** Slots that are filled with numbers. */
const NUMBERS = ['n', 'nn'];
const GIVEN_NAMES = 12;

const BOOKS = Object.entries(PHRASEBOOKS);

const topicsOf = (book: Phrasebook) => Object.entries<TopicPhrases>(book.topics);
const linesOf = ({ lines }: TopicPhrases) => Object.values(lines).flat();

describe.each(BOOKS)('the sample texts in %s', (_, book) => {
  test('every slot of a line has words', () => {
    const missing = topicsOf(book).flatMap(([topic, phrases]) =>
      linesOf(phrases).flatMap((line) =>
        [...line.matchAll(/\{(\w+)\}/g)]
          .map(([, slot]) => slot)
          .filter((slot) => !NUMBERS.includes(slot) && !(phrases.words[slot] ?? book.words[slot])?.length)
          .map((slot) => `${topic}: {${slot}} in '${line}'`),
      ),
    );
    expect(missing).toEqual([]);
  });

  test('every word list fills a slot of some line', () => {
    const unused = topicsOf(book).flatMap(([topic, phrases]) => {
      const text = linesOf(phrases).join('\n');
      return Object.keys(phrases.words)
        .filter((slot) => !text.includes(`{${slot}}`))
        .map((slot) => `${topic}: ${slot}`);
    });
    const all = topicsOf(book).flatMap(([, phrases]) => linesOf(phrases));
    const shared = Object.keys(book.words).filter((slot) => !all.join('\n').includes(`{${slot}}`));
    expect([...unused, ...shared]).toEqual([]);
  });

  test('every topic has a statement of every sentiment', () => {
    const missing = topicsOf(book).flatMap(([topic, { lines }]) =>
      Object.entries(lines)
        .filter(([, list]) => !list.some((line) => !/[?？]$/.test(line)))
        .map(([sentiment]) => `${topic}: ${sentiment}`),
    );
    expect(missing).toEqual([]);
  });

  test('a language has 12 given names and cities with valid coordinates', () => {
    expect(book.given_names.length).toBe(GIVEN_NAMES);
    for (const [latitude, longitude] of book.cities) {
      expect(Math.abs(latitude)).toBeLessThanOrEqual(90);
      expect(Math.abs(longitude)).toBeLessThanOrEqual(180);
    }
  });
});
