import type { Connector } from '../connector.ts';
import type { Promoted, PromotionStrategy } from '../kinds.ts';
import type { MetadataProvider } from '../metadata.ts';
import { metadataProblem } from '../metadata-problem.ts';
import type { Ordinal } from '../ordinal.ts';
import { slotsProblem } from '../slots.ts';
import { textOf } from '../text-of.ts';
import { naming } from './invariants.ts';
import { optionsToTry } from './options.ts';
import { SAMPLE_MIXES } from './sample.ts';
import type { Invariant } from './subject.ts';
import { frozen, withoutClock } from './traps.ts';

export function strategyInvariants(extension: PromotionStrategy): Invariant[] {
  const run = (check: (mix: Mix) => void) => () => {
    for (const mix of mixes(extension)) naming(mix.what, () => check(mix));
  };
  const within_page: Invariant = {
    name: 'mixes the same page without promoted items that have no slot',
    run: run(checkWithinPage),
  };
  return [
    ...(extension.within_page === true ? [within_page] : []),
    { name: 'fills the page with given items, each once', run: run(checkSlots) },
    { name: 'mixes the same page again with the same seed', run: run(checkSameSlots) },
    { name: 'uses neither the clock nor Math.random', run: run((mix) => void withoutClock(mix.slots)) },
    { name: 'changes neither its options nor its input', run: run((mix) => void mix.slots()) },
  ];
}

/** One run of a strategy. Its input is frozen. */
interface Mix {
  main: Ordinal[];
  promoted: Ordinal[];
  page: number;
  /** The slots of the page, with all promoted items or with the given ones. */
  slots(promoted?: readonly Promoted[]): { item: Ordinal; promoted: boolean }[];
  /** All promoted items with their ranks. */
  given: readonly Promoted[];
  what: string;
}

function mixes(extension: PromotionStrategy): Mix[] {
  return optionsToTry(extension.options).flatMap((options) =>
    SAMPLE_MIXES.map((sample) => {
      const { page } = sample;
      const ranks: readonly number[] = 'ranks' in sample ? sample.ranks : [];
      const main = Array.from({ length: sample.main }, (_, item) => item);
      const first = sample.main - ('overlap' in sample ? sample.overlap : 0);
      const promoted = Array.from({ length: sample.promoted }, (_, index) => first + index);
      const given = promoted.map((item, index) => ({ item, rank: ranks[index] }));
      const slots: Mix['slots'] = (handed = given) => {
        let drawn = 0;
        return extension.compile(frozen(structuredClone(options)) as never)({
          main: frozen([...main]),
          promoted: frozen(handed.map((each) => ({ ...each }))),
          page,
          overfetch_factor: 2,
          random: () => {
            drawn = (drawn * 0.7 + 0.3137) % 1;
            return drawn;
          },
        });
      };
      const what = `options ${JSON.stringify(options)}, ${JSON.stringify(sample)}`;
      return { main, promoted, page, slots, given, what };
    }),
  );
}

function checkSlots({ main, promoted, page, slots }: Mix): void {
  const given = slots();
  const problem = slotsProblem(given);
  if (problem !== undefined) throw new Error(problem);
  if (given.length > page) throw new Error(`${given.length} slots for a page of ${page}`);
  const items = given.map(({ item }) => item);
  if (new Set(items).size < items.length) throw new Error('an item occurs twice');
  const stranger = given.find((slot) => !(slot.promoted ? promoted : main).includes(slot.item));
  if (stranger !== undefined)
    throw new Error(`slot ${JSON.stringify(stranger)} holds an item that is not in the input`);
  const left = main.filter((item) => !items.includes(item)).length;
  const could = Math.min(page, given.length + left);
  if (given.length < could) throw new Error(`${given.length} slots, although ${could} items could fill them`);
}

function checkWithinPage({ main, given, page, slots }: Mix): void {
  const pinned = given.filter(({ rank }) => rank !== undefined && rank <= page);
  const others = given.filter(({ rank }) => rank === undefined).slice(0, page);
  const few = JSON.stringify(slots([...pinned, ...others]));
  if (few !== JSON.stringify(slots())) throw new Error('promoted items that have no slot change the page');
  const alone = slots([]).map(({ item }) => item);
  if (JSON.stringify(alone) !== JSON.stringify(main.slice(0, page)))
    throw new Error('without promoted items the page is not the beginning of the main list');
}

function checkSameSlots({ slots }: Mix): void {
  const [one, other] = [slots(), slots()];
  if (JSON.stringify(one) !== JSON.stringify(other)) throw new Error('it mixes another page the second time');
}

/** Identifiers of a token, of an NFT, and of an item that cannot exist. */
const SAMPLE_IDS = [
  `base.0x${'1'.repeat(40)}`,
  `base.0x${'2'.repeat(40)}.7`,
  `base.0x${'0'.repeat(39)}f.${'9'.repeat(60)}`,
];

export function providerInvariants(extension: MetadataProvider): Invariant[] {
  return [
    {
      name: 'returns one entry per identifier, in order, {} if unknown',
      run: async () => {
        const [options] = optionsToTry(extension.options);
        const provide = extension.compile(options as never);
        for (const ids of [[], SAMPLE_IDS, SAMPLE_IDS.toReversed()]) {
          checkMetadata(ids, await provide(frozen([...ids])));
        }
      },
    },
    {
      name: 'does not change its options',
      run: async () => {
        const [options] = optionsToTry(extension.options);
        await extension.compile(frozen(options) as never)(SAMPLE_IDS);
      },
    },
  ];
}

/** A connector without a source is not run: only `start` is called, which must not connect. */
export function connectorInvariants(extension: Connector): Invariant[] {
  return [
    {
      name: 'makes a function of its options, and does not change them',
      run: () => {
        for (const options of optionsToTry(extension.options)) {
          const run: unknown = extension.start(frozen(options) as never);
          if (typeof run !== 'function')
            throw new Error(`start returns ${textOf(run)}, which is not a function`);
        }
      },
    },
  ];
}

/** @throws Error unless there is one plain object or error per identifier */
export function checkMetadata(ids: readonly string[], given: unknown): void {
  if (!Array.isArray(given)) throw new Error(`it returns ${textOf(given)}, which is not a list`);
  if (given.length !== ids.length) throw new Error(`${given.length} answers for ${ids.length} identifiers`);
  for (const [index, each] of given.entries()) {
    if (each instanceof Error) continue;
    const problem = metadataProblem(each);
    if (problem !== undefined)
      throw new Error(`the entry for ${ids[index]} is not valid metadata: ${problem}`);
    if (!Bun.deepEquals(each, jsonOf(each)))
      throw new Error(`the entry for ${ids[index]} is not a plain JSON object`);
  }
}

function jsonOf(value: object): unknown {
  return JSON.parse(JSON.stringify(value));
}
