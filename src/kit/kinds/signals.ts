import { compiledSignal } from '../../page/engine.ts';
import { NONE } from '../../plugin/index.ts';
import { textOf } from '../../plugin/text-of.ts';
import { expectNumbers } from '../expectations.ts';
import type { KindTests } from '../kind-tests.ts';
import {
  type BindToPage,
  checkSameElsewhere,
  each,
  nameOf,
  perItem,
  type Trial,
  valuesOf,
} from '../trials.ts';

export const signals: KindTests<'signals'> = {
  invariants(subject, id) {
    const registered = subject.extension('signals', id);
    const { depends_on } = registered.extension;
    const check = (run: (trial: Trial) => void) => each(subject, registered, () => bindOf(id), run);
    return [
      ...perItem('gives every item a number from 0 to 1', check),
      {
        name: `depends only on what depends_on declares: ${depends_on}`,
        run: check((trial) => {
          if (depends_on !== 'viewer')
            checkSameElsewhere(subject, trial, { at_any_time: depends_on === 'item' });
        }),
      },
      { name: 'reaches every item with a value above 0', run: check((trial) => checkReaches(id, trial)) },
    ];
  },
  run(subject, id, given) {
    const world = subject.enter(given);
    expectNumbers(world, valuesOf({ world, bind: bindOf(id) }), given.expect);
  },
};

/** The signal as other extensions get it. */
function bindOf(id: string): BindToPage {
  return (page) => {
    const value = page.signal(id);
    return (item) => {
      const found: unknown = value(item);
      if (typeof found === 'number' && found >= 0 && found <= 1) return found;
      throw new Error(`value ${textOf(found)} is not a number from 0 to 1`);
    };
  };
}

function checkReaches(id: string, trial: Trial): void {
  const { world } = trial;
  const reached = compiledSignal(world.engine, id).reach?.(world.request());
  if (reached === undefined) return;
  const known = new Set(world.items);
  reached.forEach((item, weight) => {
    // The service ignores NONE, as in the list of a source.
    if (item === NONE) return;
    if (!known.has(item)) throw new Error(`it reaches ${textOf(item)}, which is not an item`);
    if (weight > 0 && weight === reached.weight(item)) return;
    throw new Error(`${nameOf(world, item)}: visited with ${weight}, its weight is ${reached.weight(item)}`);
  });
  for (const [item, value] of valuesOf(trial)) {
    const weight = reached.weight(item);
    if (!(weight >= 0)) throw new Error(`${nameOf(world, item)}: its weight is ${weight}`);
    if (value !== 0 && weight === 0)
      throw new Error(`${nameOf(world, item)}: ${textOf(value)}, but not reached`);
  }
}
