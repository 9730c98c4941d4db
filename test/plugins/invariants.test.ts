import { describe, expect, test } from 'bun:test';
import { BUILT_IN, FOR_WALLETS } from '../../plugins/index.ts';
import type { TSchema } from '../../src/plugin/index.ts';
import { refusedOptions, signalValues } from '../support/extensions.ts';
import { forYouScene, VIEWER } from '../support/for-you.ts';

/** What the built-in extensions of a kind have in common, beside what the testing kit requires of all plugins. */

describe.each(['signals', 'visibility_rules', 'candidate_sources', 'scoring_functions'] as const)(
  '%s',
  (kind) => {
    const all = Object.entries<{ options: TSchema }>({ ...BUILT_IN[kind], ...FOR_WALLETS[kind] });
    test.each(all)(
      '%s refuse other options than objects, and numbers below 1, fractions and texts',
      (id, { options }) => {
        const numbers = Object.entries<{ type?: string; maximum?: number }>(options.properties ?? {}).filter(
          ([, { type }]) => type === 'number' || type === 'integer',
        );
        const refused = numbers.flatMap(([name, { type, maximum = Infinity }]) =>
          [0, -1, maximum + 1, Number.NaN, Infinity, '5', null, ...(type === 'integer' ? [1.5] : [])].map(
            (bad) => ({ [name]: bad }),
          ),
        );
        refusedOptions(kind, id, [...refused, 1, 'x', null, []]);
      },
    );
  },
);

describe('signals of a viewer', () => {
  const vector = Buffer.from(Int8Array.of(100, ...Array(15).fill(0))).toString('base64');
  const scene = forYouScene().item('read', { embedding: vector }).item('alike', { embedding: vector });
  scene.act('viewer', 'like', 'read');
  const greatest = (signal: string, viewer?: string) =>
    Math.max(...Object.values(signalValues(scene, signal, { viewer })));

  test.each([
    ...['interest_all', 'interest_recent', 'interest_lasting', 'profile', 'semantic_interest'],
    ...['affinity_all', 'affinity_closest', 'author_affinity', 'dislike'],
  ])('%s is 0 for every item without a history, friends or a viewer', (signal) => {
    expect(greatest(signal, VIEWER.viewer)).toBeGreaterThan(0);
    for (const viewer of ['somebody', 'unknown', undefined])
      expect([viewer, greatest(signal, viewer)]).toEqual([viewer, 0]);
  });
});
