import type { Fault } from '../../errors.ts';
import { compileFilters } from '../../feeds/compile-feed.ts';
import type { BoundFilter } from '../../feeds/compiled-feed.ts';
import { expectItems } from '../expectations.ts';
import type { KindTests } from '../kind-tests.ts';
import type { PluginUnderTest } from '../plugin-under-test.ts';
import {
  type BindToPage,
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
    const check = (run: (trial: Trial, bound: BoundFilter) => void) =>
      each(
        subject,
        registered,
        (options) => bindOf(compiled(subject, id, options)),
        (trial) => {
          const bound = compiled(subject, id, trial.options);
          if (bound !== undefined) run(trial, bound);
        },
      );
    return [
      ...perItem('returns true or false for every item', check),
      {
        name: 'keeps the same items in a feed',
        run: check((trial) => checkPages(trial, { filters: { [id]: trial.options } })),
      },
      {
        name: 'depends only on what depends_on declares',
        run: check((trial, { depends_on }) => {
          if (depends_on === 'time' || depends_on === 'viewer') return;
          const with_any_counts = depends_on === 'content';
          checkSameElsewhere(subject, trial, { at_any_time: true, with_any_counts });
        }),
      },
    ];
  },
  run(subject, id, given) {
    const world = subject.enter(given);
    const bind = bindOf(compiled(subject, id, given.options));
    expectItems(world, valuesOf({ world, bind }), given.expect);
  },
};

/** The filter as a feed has it. Undefined if the options switch it off. @throws Error if they are rejected */
function compiled({ registry }: PluginUnderTest, id: string, options: unknown): BoundFilter | undefined {
  const faults: Fault[] = [];
  const [bound] = compileFilters(registry, { [id]: options }, '/filters', faults);
  if (faults.length === 0) return bound;
  throw new Error(faults.map(({ path, message }) => `${path}: ${message}`).join('; '));
}

function bindOf(bound: BoundFilter | undefined): BindToPage {
  return (page) => bound?.bind(page.for_admission) ?? (() => true);
}
