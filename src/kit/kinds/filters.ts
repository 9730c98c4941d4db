import type { Fault } from '../../errors.ts';
import { compileFilters } from '../../feeds/compile-feed.ts';
import type { BoundFilter } from '../../feeds/compiled-feed.ts';
import { expectItems } from '../expectations.ts';
import type { KindTests } from '../kind-tests.ts';
import type { PluginUnderTest } from '../plugin-under-test.ts';
import {
  type Compiled,
  checkPages,
  checkSameElsewhere,
  each,
  perItem,
  type Trial,
  valuesOf,
} from '../trials.ts';

export const filters: KindTests<'filters'> = {
  invariants(subject, id) {
    const registered = subject.extension('filters', id);
    const check = (run: (trial: Trial & CompiledFilter) => void) =>
      each(subject, registered, (options) => compiled(subject, id, options), run);
    return [
      ...perItem('returns true or false for every item', check),
      {
        name: 'keeps the same items in a feed',
        run: check((trial) => checkPages(trial, { filters: { [id]: trial.options } })),
      },
      {
        name: 'depends only on what depends_on declares',
        run: check((trial) => checkSameElsewhere(subject, trial, trial.depends_on)),
      },
    ];
  },
  run(subject, id, given) {
    const world = subject.enter(given);
    const { bind } = compiled(subject, id, given.options) ?? { bind: () => () => true };
    expectItems(world, valuesOf({ world, bind }), given.expect);
  },
};

type CompiledFilter = Compiled & Pick<BoundFilter, 'depends_on'>;

/** The filter as a feed has it. Undefined if the options switch it off. @throws Error if they are rejected */
function compiled({ registry }: PluginUnderTest, id: string, options: unknown): CompiledFilter | undefined {
  const faults: Fault[] = [];
  const [bound] = compileFilters(registry, { [id]: options }, '/filters', faults);
  if (faults.length > 0) throw new Error(faults.map(({ path, message }) => `${path}: ${message}`).join('; '));
  return bound && { depends_on: bound.depends_on, bind: (page) => bound.bind(page.for_admission) };
}
