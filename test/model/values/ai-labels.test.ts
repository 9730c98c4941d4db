import { describe, expect, test } from 'bun:test';
import { LIMITS } from '../../../src/limits.ts';
import { aiLabels } from '../../../src/model/values/ai-labels.ts';
import { Reduced, Refusal } from '../../../src/model/values/refusal.ts';

/** The labels as stored: JSON text. */
function stored(value: unknown): string {
  const labels = aiLabels(value);
  return labels instanceof Refusal ? `refused ${JSON.stringify(labels.faults)}` : JSON.stringify(labels);
}

function pathsOf(value: unknown): string[] {
  const labels = aiLabels(value);
  if (!(labels instanceof Refusal)) throw new Error(`accepted: ${JSON.stringify(labels)}`);
  return labels.faults.map((fault) => fault.path);
}

describe('labels of an item', () => {
  test.each<[string, unknown, object]>([
    ['scores by name', { gaming: 0.93, music: 0, joy: 1 }, { gaming: 0.93, music: 0, joy: 1 }],
    ['a list of names, score 1 each', ['gaming', 'music'], { gaming: 1, music: 1 }],
    [
      'lists by group, the group dropped',
      { topics: ['gaming'], sentiment: ['positive'] },
      { gaming: 1, positive: 1 },
    ],
    ['entries of label and score', [{ label: 'gaming', score: 0.4 }, 'music'], { gaming: 0.4, music: 1 }],
    [
      'numbers beside lists',
      { joy: 0.5, topics: ['gaming', { label: 'music', score: 0.2 }] },
      { joy: 0.5, gaming: 1, music: 0.2 },
    ],
    ['null as not given', { gaming: null, topics: null, joy: 0.5 }, { joy: 0.5 }],
    ['no labels', {}, {}],
    ['an empty list', [], {}],
    ['-0 as 0', { gaming: -0 }, { gaming: 0 }],
    [
      'a repeated label with its highest score',
      {
        gaming: 0.3,
        topics: [
          { label: 'gaming', score: 0.7 },
          { label: 'gaming', score: 0.1 },
        ],
      },
      { gaming: 0.7 },
    ],
  ])('may be %s', (_, value, expected) => expect(JSON.parse(stored(value))).toEqual(expected));

  test('may have the names of Object.prototype members', () => {
    const value = JSON.parse(
      '{"__proto__":0.5,"constructor":0.25,"toString":["hasOwnProperty","__proto__"]}',
    );
    expect(stored(value)).toBe('{"__proto__":1,"constructor":0.25,"hasOwnProperty":1}');
    expect(Object.hasOwn(Object.prototype, '0')).toBe(false);
    expect(({} as Record<string, unknown>).gaming).toBeUndefined();
  });

  test.each<[unknown, string[]]>([
    ['gaming', ['']],
    [0.5, ['']],
    [{ gaming: Number.NaN }, ['/gaming']],
    [{ gaming: '0.5' }, ['/gaming']],
    [{ gaming: true }, ['/gaming']],
    [{ topics: { gaming: 0.5 } }, ['/topics']],
    [{ 'a/b~c': '2' }, ['/a~1b~0c']],
    [
      [null, 7, ['gaming']],
      ['/0', '/1', '/2'],
    ],
    [[{ label: 'gaming' }], ['/0/score']],
    [[{ score: 0.5 }], ['/0/label']],
    [{ topics: ['gaming', { label: 1, score: '2' }] }, ['/topics/1/label', '/topics/1/score']],
  ])('%j is refused at %j', (value, paths) => expect(pathsOf(value)).toEqual(paths));

  test('beyond the maximum are dropped with a warning', () => {
    const names = Array.from({ length: LIMITS.list_length_max + 1 }, (_, index) => `label${index}`);
    expect(stored(names.slice(1))).toStartWith('{');
    for (const given of [names, { topics: names.slice(0, -1), other: ['one more'] }]) {
      const checked = aiLabels(given);
      if (!(checked instanceof Reduced)) throw new Error('nothing was dropped');
      expect(Object.keys(checked.value)).toEqual(names.slice(0, -1));
      expect(checked.warnings).toEqual(['entries after the first 1,000 were dropped']);
    }
  });

  test('report only the first faults of many', () => {
    expect(pathsOf(Array.from({ length: 1000 }, () => 7)).length).toBe(20);
  });
});
