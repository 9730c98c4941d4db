import type { PromotionStrategy } from '../../plugin/index.ts';
import type { KindData } from '../kind-data.ts';
import { COMPILE, optional } from '../member-checks.ts';
import { countOption } from '../template.ts';

export const promotion_strategies: KindData<PromotionStrategy> = {
  title: 'promotion strategy',
  versioned: true,
  members: {
    compile: COMPILE,
    within_page: optional('must be true or false', (value) => typeof value === 'boolean'),
  },
  usedBy: (id) => `\`"promotion_type": "${id}"\` of a promotion, with its options in \`options\``,
  templates: {
    promotion: {
      imports: ['type Slot'],
      body: `
summary: 'Promoted items first, then the feed.',
${countOption('at_most', 3)}
// Runs once per page: returns its slots from the given items, without duplicates.
compile:
  ({ at_most }) =>
  ({ main, promoted, page }) => {
    const first = promoted.slice(0, at_most).map(({ item }): Slot => ({ item, promoted: true }));
    const used = new Set(first.map(({ item }) => item));
    const rest = main.filter((item) => !used.has(item));
    return [...first, ...rest.map((item): Slot => ({ item, promoted: false }))].slice(0, page);
  },`,
      tests: `
cases: [
  {
    name: 'puts promoted items first',
    options: { at_most: 1 },
    main: ['a', 'b', 'c'],
    promoted: ['p', 'q'],
    page: 3,
    expect: ['*p', 'a', 'b'],
  },
],
refuses: [{ at_most: 0 }],`,
    },
  },
};
