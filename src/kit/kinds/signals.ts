import { textOf } from '../../plugin/text-of.ts';
import { expectNumbers } from '../expectations.ts';
import type { KindTests } from '../kind-tests.ts';
import { type BindToPage, checkSameElsewhere, each, perItem, type Trial, valuesOf } from '../trials.ts';

export const signals: KindTests<'signals'> = {
  invariants(subject, id) {
    const registered = subject.extension('signals', id);
    const { depends_on = 'viewer' } = registered.extension;
    const check = (run: (trial: Trial) => void) =>
      each(subject, registered, () => ({ bind: bindOf(id) }), run);
    return [
      ...perItem('gives every item a number from 0 to 1', check),
      {
        name: `depends only on what depends_on declares: ${depends_on}`,
        run: check((trial) => checkSameElsewhere(subject, trial, depends_on)),
      },
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
