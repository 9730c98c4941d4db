import { seededRandom } from '../../clock.ts';
import { guardMix } from '../../feeds/guard.ts';
import type { MixInput, Ordinal, Promoted, Slot } from '../../plugin/index.ts';
import { expectSame } from '../expectations.ts';
import type { KindTests } from '../kind-tests.ts';
import { compiledWith, optionsToTry } from '../options.ts';
import type { PluginUnderTest } from '../plugin-under-test.ts';
import { frozen, withoutClock } from '../traps.ts';
import { type Invariant, naming } from '../trials.ts';

/** The lengths of the lists and the page, how many items are in both lists, and the ranks of the first promoted ones. */
interface SampleMix {
  main: number;
  promoted: number;
  page: number;
  overlap?: number;
  ranks?: number[];
}

/** Inputs that every promotion strategy must handle: overlapping lists and short lists. */
const SAMPLE_MIXES: readonly SampleMix[] = [
  { main: 0, promoted: 0, page: 5 },
  { main: 30, promoted: 0, page: 10 },
  { main: 0, promoted: 8, page: 5 },
  { main: 30, promoted: 8, page: 10 },
  { main: 3, promoted: 2, page: 10 },
  { main: 3, promoted: 3, page: 10, overlap: 3 },
  { main: 60, promoted: 60, page: 25, overlap: 10 },
  { main: 12, promoted: 4, page: 1, ranks: [1, 30] },
  { main: 12, promoted: 4, page: 6, ranks: [2, 3], overlap: 2 },
];

export const promotion_strategies: KindTests<'promotion_strategies'> = {
  invariants(subject, id) {
    const registered = subject.extension('promotion_strategies', id);
    const check = (run: (mix: Mix) => void) => () => {
      for (const options of optionsToTry(registered)) {
        for (const sample of SAMPLE_MIXES) {
          const what = `options ${JSON.stringify(options)}, ${JSON.stringify(sample)}`;
          naming(what, () => run(mixOf(sample, () => mixer(subject, id, options))));
        }
      }
    };
    const within_page: Invariant = {
      name: 'mixes the same page without promoted items that have no slot',
      run: check(checkWithinPage),
    };
    return [
      { name: 'fills the page with given items, each once', run: check(checkSlots) },
      { name: 'mixes the same page again with the same seed', run: check(checkSameSlots) },
      {
        name: 'uses neither the clock nor Math.random',
        run: check((mix) => void withoutClock(mix.slotsAnew)),
      },
      ...(registered.extension.within_page === true ? [within_page] : []),
    ];
  },
  run(subject, id, given) {
    const { main, promoted, page, overfetch_factor = 2, seed = 1 } = given;
    const pinned = promoted.map((one) => (typeof one === 'string' ? { item_id: one, rank: undefined } : one));
    const ids = [...new Set([...main, ...pinned.map(({ item_id }) => item_id)])];
    const slots = mixer(
      subject,
      id,
      given.options,
    )({
      main: main.map((item_id) => ids.indexOf(item_id)),
      promoted: pinned.map(({ item_id, rank }) => ({ item: ids.indexOf(item_id), rank })),
      page,
      overfetch_factor,
      random: seededRandom(seed),
    });
    expectSame(
      slots.map(({ item, promoted: is_promoted }) => `${is_promoted ? '*' : ''}${ids[item]}`),
      given.expect,
    );
  },
};

function mixer(subject: PluginUnderTest, id: string, options: unknown): (input: MixInput) => Slot[] {
  const mix = compiledWith<(input: MixInput) => Slot[]>(
    subject.extension('promotion_strategies', id),
    options,
  );
  return guardMix(subject.registry.attribution('promotion_strategies', id), mix);
}

/** One run of a strategy. Its input is frozen. */
interface Mix {
  main: Ordinal[];
  promoted: Ordinal[];
  page: number;
  /** The slots of the page, with all promoted items or with the given ones. */
  slots(promoted?: readonly Promoted[]): Slot[];
  /** The slots of the page by the strategy compiled anew. */
  slotsAnew(): Slot[];
  /** All promoted items with their ranks. */
  given: readonly Promoted[];
}

function mixOf(sample: SampleMix, compile: () => ReturnType<typeof mixer>): Mix {
  const { page, overlap = 0, ranks = [] } = sample;
  const main = Array.from({ length: sample.main }, (_, item) => item);
  const promoted = Array.from({ length: sample.promoted }, (_, index) => sample.main - overlap + index);
  const given = promoted.map((item, index) => ({ item, rank: ranks[index] }));
  const input = (handed: readonly Promoted[] = given): MixInput => ({
    main: frozen([...main]),
    promoted: frozen(handed.map((each) => ({ ...each }))),
    page,
    overfetch_factor: 2,
    random: seededRandom(1),
  });
  const mix = compile();
  return {
    main,
    promoted,
    page,
    given,
    slots: (handed) => mix(input(handed)),
    slotsAnew: () => compile()(input()),
  };
}

function checkSlots({ main, promoted, page, slots }: Mix): void {
  const given = slots();
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

function checkSameSlots({ slots, slotsAnew }: Mix): void {
  const first = JSON.stringify(slots());
  if ([slots(), slotsAnew()].some((again) => JSON.stringify(again) !== first))
    throw new Error('it mixes another page the second time');
}
