import type { Filter } from '../../plugin/index.ts';
import type { KindData } from '../kind-data.ts';
import { COMPILE, DEPENDS_ON_INPUTS, FUNCTION, oneOf, READS } from '../member-checks.ts';
import { OFF_TEXTS } from '../off-values.ts';
import { countOption } from '../template.ts';

export const filters: KindData<Filter> = {
  title: 'filter',
  versioned: false,
  members: {
    compile: COMPILE,
    kind: oneOf(['inclusion', 'exclusion']),
    reads: READS,
    depends_on: (value, name) => (typeof value === 'function' ? undefined : DEPENDS_ON_INPUTS(value, name)),
    postings: FUNCTION,
    named_values: FUNCTION,
  },
  switched_off_by: OFF_TEXTS,
  usedBy: (id) => `\`"filters": {"${id}": …}\` of a feed or a request, with its options`,
  templates: {
    filter: {
      body: `
summary: 'Only items with a minimum number of likes.',
kind: 'inclusion',
${countOption('at_least', 5)}
// The outer function runs per feed, the middle one per request, the inner one per item: keep it?
compile:
  ({ at_least }) =>
  (request) =>
  (item) =>
    request.item.likes_count(item) >= at_least,`,
      tests: `
items: { a: { likes_count: 2 }, b: { likes_count: 1 } },
cases: [{ name: 'keeps an item with enough likes', options: { at_least: 2 }, expect: ['a'] }],
refuses: [{ at_least: 0 }, { at_least: 'many' }],`,
    },
  },
};
